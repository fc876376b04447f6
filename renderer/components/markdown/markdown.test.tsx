import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FixtureBridge } from '../../testing/fixture-bridge';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { FOLD_LINES } from './code-block';
import { Markdown } from './markdown';
import { loadRichPlugins } from './use-rich-plugins';

let bridge: FixtureBridge;
beforeEach(async () => {
  bridge = await openFixture({}, { open: false });
  await loadRichPlugins();
});
afterEach(() => {
  vi.useRealTimers();
  closeFixture();
});

const show = (text: string) => renderIn(<Markdown text={text} />).container;

describe('a text that a model wrote', () => {
  it('never becomes HTML', () => {
    const page = show('<img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\nA <b>word</b>.');
    expect(page.querySelector('img, script, b')).toBeNull();
    expect(page.textContent).toContain('<b>word</b>');
  });

  it('loads no image: it becomes a link', () => {
    const page = show('![A cat](https://example.com/cat.png)');
    expect(page.querySelector('img')).toBeNull();
    expect(screen.getByRole('link', { name: 'Image: A cat' })).toBeTruthy();
  });

  it('opens a link through main and nothing else', async () => {
    show('[the docs](https://example.com/docs) and [this](javascript:alert(1))');
    await act(async () => fireEvent.click(screen.getByRole('link', { name: 'the docs' })));
    expect(askedFor(bridge, 'app.openLink')).toEqual([{ url: 'https://example.com/docs' }]);
    expect(screen.queryByRole('link', { name: 'this' })).toBeNull();
  });

  it('asks before it opens a link whose words name another host', async () => {
    show('[https://bank.example](https://evil.example/)');
    fireEvent.click(screen.getByRole('link'));
    expect(askedFor(bridge, 'app.openLink')).toEqual([]);
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Open link' })));
    expect(askedFor(bridge, 'app.openLink')).toEqual([{ url: 'https://evil.example/' }]);
  });

  it('colors code, names its language and copies it as it was written', async () => {
    const page = show('```sql\nSELECT 1;\n```');
    expect(screen.getByText('SQL')).toBeTruthy();
    expect(page.querySelector('.hljs-keyword')?.textContent).toBe('SELECT');
    await act(async () => fireEvent.click(screen.getByRole('button', { name: /Copy/ })));
    expect(askedFor(bridge, 'app.copy')).toEqual([{ text: 'SELECT 1;\n' }]);
  });

  it('folds long code', () => {
    show(`\`\`\`\n${'line\n'.repeat(FOLD_LINES + 6)}\`\`\``);
    fireEvent.click(screen.getByRole('button', { name: 'Show 6 more lines' }));
    expect(screen.getByRole('button', { name: 'Show fewer lines' })).toBeTruthy();
  });

  it('sets math and leaves prices alone', () => {
    const page = show('A rate of $w - a$ costs $5 or $10.');
    expect(page.querySelectorAll('.katex')).toHaveLength(1);
    expect(page.textContent).toContain('costs $5 or $10.');
  });

  it('aligns columns of numbers right', () => {
    const page = show('| Step | Size |\n| --- | --- |\n| a | 1,200 MB |\n| b | 3 MB |');
    expect([...page.querySelectorAll('.r')].map((cell) => cell.textContent)).toEqual(['Size', '1,200 MB', '3 MB']);
  });

  it('resolves a reference whose address stands at the end', () => {
    show('See [the docs][1].\n\nMore.\n\n[1]: https://example.com/docs');
    expect(screen.getByRole('link', { name: 'the docs' }).getAttribute('href')).toBe('https://example.com/docs');
  });
});

describe('a growing text', () => {
  it('leaves the elements of finished blocks untouched', () => {
    vi.useFakeTimers();
    const { container, rerender } = renderIn(<Markdown text={'First.\n\nSecond.\n\nThi'} grows />);
    const [first] = container.querySelectorAll('p');
    rerender(<Markdown text={'First.\n\nSecond.\n\nThird.'} grows />);
    act(() => void vi.advanceTimersByTime(40));
    const after = container.querySelectorAll('p');
    expect(after[0]).toBe(first);
    expect(after[2]?.textContent).toBe('Third.');
  });

  it('is drawn at most 30 times a second and is whole at its end', () => {
    vi.useFakeTimers();
    const { container, rerender } = renderIn(<Markdown text="a" grows />);
    rerender(<Markdown text="ab" grows />);
    rerender(<Markdown text="abc" grows />);
    expect(container.textContent).toBe('a');
    act(() => void vi.advanceTimersByTime(33));
    expect(container.textContent).toBe('abc');
    rerender(<Markdown text="abcd" />);
    expect(container.textContent).toBe('abcd');
  });
});
