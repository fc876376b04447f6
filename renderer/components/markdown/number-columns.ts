import type { Element, Nodes, Root } from 'hast';

const NUMBER = /^[-+−≈~<>≤≥]?\s?[$€£¥]?\d[\d.,:\s]*(?:\s?(?:%|[a-zA-Zµ/]{1,5}))?$/;

/** A rehype plugin: columns whose cells are all numbers are marked with the class `r`, which aligns them right. */
export function numberColumns() {
  return (tree: Root) => each(tree, (table) => markColumns(rowsOf(table)));
}

function each(node: Nodes, found: (table: Element) => void): void {
  if (node.type === 'element' && node.tagName === 'table') found(node);
  else if ('children' in node) for (const child of node.children) each(child, found);
}

function rowsOf(table: Element): Element[][] {
  const rows: Element[][] = [];
  const visit = (node: Element): void => {
    const cells = node.children.filter(
      (child): child is Element => child.type === 'element' && (child.tagName === 'td' || child.tagName === 'th'),
    );
    if (node.tagName === 'tr') rows.push(cells);
    else for (const child of node.children) if (child.type === 'element') visit(child);
  };
  visit(table);
  return rows;
}

function markColumns(rows: readonly Element[][]): void {
  const [head, ...body] = rows;
  head?.forEach((_, column) => {
    const cells = body.map((row) => row[column]).filter((cell) => cell !== undefined);
    if (cells.length > 0 && cells.every((cell) => NUMBER.test(textOf(cell).trim()))) {
      for (const row of rows) {
        const cell = row[column];
        if (cell) cell.properties.className = ['r'];
      }
    }
  });
}

/** All text inside a node. */
export function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}
