import { Icon } from './icon';
import { IconOffline } from './icons';
import type { ModelLook } from './model-words';

/** Filled: loaded; ring: not loaded; icon: does not answer. The words beside it say the same. */
export function ModelMark({ mark }: { readonly mark: ModelLook['mark'] }) {
  switch (mark) {
    case 'away':
      return <Icon of={IconOffline} className="warn" />;
    case 'loaded':
      return <span className="dot" />;
    case 'not-loaded':
      return <span className="dot ring" />;
    case 'busy':
      return <span className="dot acc" />;
  }
}
