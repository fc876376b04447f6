import type { TFunction } from 'i18next';
import type { Model } from '../../../shared/model/provider';

/** The served window of a loaded model, else its state. */
export function modelStateWords(t: TFunction, model: Model): string {
  switch (model.state) {
    case 'loaded':
      return model.served === null
        ? t('settings.models.loaded')
        : t('settings.models.served', { tokens: model.served });
    case 'loading':
      return t('settings.models.loading');
    case 'not-loaded':
      return t('settings.models.notLoaded');
    case 'unknown':
      return model.served === null ? '' : t('settings.models.served', { tokens: model.served });
  }
}
