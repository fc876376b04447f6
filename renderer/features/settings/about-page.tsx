import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button';
import { Logo } from '../../components/frame/brand';
import { IconKeyboard } from '../../components/icons';
import { useApp } from '../../stores/app-store';
import { layoutStore } from '../../stores/layout-store';

export function AboutPage() {
  const { t } = useTranslation();
  const version = useApp((state) => state.version);
  return (
    <div className="about">
      <Logo size={40} />
      <h2>{t('app.name')}</h2>
      <p className="num">{t('settings.about.version', { version })}</p>
      <p className="t2">{t('settings.about.line')}</p>
      <p className="t3">{t('settings.about.license')}</p>
      <Button icon={IconKeyboard} onClick={() => layoutStore.getState().overlayShown('keyboard-help')}>
        {t('settings.about.keys')}
      </Button>
    </div>
  );
}
