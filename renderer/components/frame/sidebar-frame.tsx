import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../bridge/request';
import { useApp } from '../../stores/app-store';
import { layoutStore, useLayout } from '../../stores/layout-store';
import { told } from '../../stores/toast-store';
import { IconButton } from '../icon-button';
import { IconSidebar } from '../icons';
import { Logo } from './brand';
import { useSidebarLiesOver } from './use-media';

const MIN = 216;
const MAX = 360;
const STEP = 8;

export interface SidebarFrameProps {
  readonly label: string;
  /** Words in the place of the brand, on settings pages. */
  readonly title?: string;
  readonly children: ReactNode;
}

/** The left pane: its head, its width that can be dragged, and its place over the page in a narrow window. */
export function SidebarFrame({ label, title, children }: SidebarFrameProps) {
  const { t } = useTranslation();
  const stored = useApp((state) => state.settings.sidebarWidth);
  const hidden = useLayout((state) => state.sidebarHidden);
  const calledOver = useLayout((state) => state.sidebarOver);
  const over = useSidebarLiesOver();
  const [dragged, setDragged] = useState<number | null>(null);
  // A window that gets narrow shows its chat, whatever was called while there was room for both.
  useEffect(() => {
    if (over) layoutStore.getState().sidebarOverCalled(false);
  }, [over]);
  if (over ? !calledOver : hidden) return null;
  const width = dragged ?? stored;
  return (
    <>
      {over && (
        <div className="side-veil" aria-hidden="true" onClick={() => layoutStore.getState().sidebarOverCalled(false)} />
      )}
      <aside className={over ? 'side is-over' : 'side'} aria-label={label} style={{ width }}>
        <div className="side-top">
          <div className="brand">
            {title === undefined ? (
              <>
                <Logo size={20} />
                {t('app.name')}
              </>
            ) : (
              title
            )}
          </div>
          <span className="grow" />
          {title === undefined && (
            <IconButton
              icon={IconSidebar}
              label={t('app.sidebar.hide')}
              onClick={() =>
                over ? layoutStore.getState().sidebarOverCalled(false) : layoutStore.getState().sidebarToggled()
              }
            />
          )}
        </div>
        {children}
        <Edge width={width} onDrag={setDragged} />
      </aside>
    </>
  );
}

function Edge({ width, onDrag }: { readonly width: number; readonly onDrag: (width: number | null) => void }) {
  const { t } = useTranslation();
  const from = useRef<{ readonly x: number; readonly width: number } | null>(null);
  const within = (wish: number) => Math.min(MAX, Math.max(MIN, Math.round(wish)));
  const keep = (wish: number) =>
    void told(request('settings.change', { sidebarWidth: within(wish) }).then(() => onDrag(null)));
  const moved = (event: PointerEvent) => {
    if (from.current) onDrag(within(from.current.width + event.clientX - from.current.x));
  };
  const keyed = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') keep(width - STEP);
    else if (event.key === 'ArrowRight') keep(width + STEP);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be dragged; this is the separator widget
    <div
      className="side-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={t('app.sidebar.resize')}
      aria-valuenow={width}
      aria-valuemin={MIN}
      aria-valuemax={MAX}
      tabIndex={0}
      onKeyDown={keyed}
      onDoubleClick={() => keep(264)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, width };
      }}
      onPointerMove={moved}
      onPointerUp={(event) => {
        if (from.current && event.clientX !== from.current.x) keep(from.current.width + event.clientX - from.current.x);
        from.current = null;
      }}
    />
  );
}
