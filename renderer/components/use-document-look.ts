import { useLayoutEffect } from 'react';
import { useApp } from '../stores/app-store';

/** Tells the styles of a window which theme, system and reading size it is drawn for. */
export function useDocumentLook(): void {
  const dark = useApp((state) => state.dark);
  const platform = useApp((state) => state.platform);
  const reading = useApp((state) => state.settings.readingSize);
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    document.documentElement.dataset.os = platform === 'darwin' ? 'mac' : 'win';
    document.documentElement.dataset.reading = reading;
  }, [dark, platform, reading]);
}
