/** The first `most` UTF-16 units of a text, or one less where that would leave half of a character. */
export const firstChars = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
