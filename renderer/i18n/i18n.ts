import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { english } from './catalogue';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof english };
  }
}

/** Makes `t` ready, at once: the catalogue is part of the bundle. React escapes by itself. */
export function startI18n(): void {
  void i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: english } },
    interpolation: { escapeValue: false },
    initAsync: false,
  });
}
