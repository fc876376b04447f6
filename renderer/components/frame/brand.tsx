/** The mark: four lines of a page, two of them from underneath. */
export function Logo({ size }: { readonly size: 20 | 40 }) {
  return (
    <svg className="logo" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <g fill="none" strokeWidth="3" strokeLinecap="round">
        <path stroke="var(--fold-rail)" d="M6 7h20M6 19h20" />
        <path stroke="var(--accent)" d="M6 13h16M6 25h11" />
      </g>
    </svg>
  );
}
