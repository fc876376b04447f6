import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button';
import { CaptionButtons } from './frame/caption-buttons';

interface State {
  readonly reason: string | null;
}

/** Catches a fault in drawing, so that the window says what happened instead of turning blank. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { reason: null };

  static getDerivedStateFromError(error: unknown): State {
    return { reason: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    return this.state.reason === null ? this.props.children : <Broken reason={this.state.reason} />;
  }
}

function Broken({ reason }: { readonly reason: string }) {
  const { t } = useTranslation();
  return (
    <Full
      title={t('app.broken.title')}
      detail={t('app.broken.detail', { reason })}
      action={t('app.broken.reload')}
      onAction={() => window.location.reload()}
    />
  );
}

export interface FullProps {
  readonly title: string;
  readonly detail: string;
  readonly action: string;
  readonly onAction: () => void;
}

/** A whole window that says one thing and offers one way on. */
export function Full({ title, detail, action, onAction }: FullProps) {
  return (
    <div className="win">
      <div className="full-top">
        <CaptionButtons />
      </div>
      <main className="full" role="alert">
        <h1>{title}</h1>
        <p>{detail}</p>
        <Button look="primary" big onClick={onAction}>
          {action}
        </Button>
      </main>
    </div>
  );
}
