import { useLayoutEffect } from 'react';
import { useApp } from '../stores/app-store';

/** Tells the styles of a window which theme and which system it is drawn for. */
export function useDocumentLook(): void {
  const dark = useApp((state) => state.dark);
  const platform = useApp((state) => state.platform);
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    document.documentElement.dataset.os = platform === 'darwin' ? 'mac' : 'win';
  }, [dark, platform]);
}
