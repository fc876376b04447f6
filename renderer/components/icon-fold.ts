import { createLucideIcon } from 'lucide-react';

/** The mark of folds and compression: two arrows that close on a line. The set's own one has a dashed line, which blurs at 16 px. */
export const IconFold = createLucideIcon('FoldOnLine', [
  ['path', { d: 'M3.375 12h17.25', key: 'line' }],
  ['path', { d: 'M8.625 4.125 12 7.5l3.375-3.375', key: 'above' }],
  ['path', { d: 'M8.625 19.875 12 16.5l3.375 3.375', key: 'below' }],
]);
