import { useTranslation } from 'react-i18next';
import type { Spend } from '../../../shared/model/spend';
import { formatTokens } from '../../i18n/format';

/** What the chat has cost so far: not to be taken for its fill, so it stands at another place, in words of its own. */
export function SpendList({ spend }: { readonly spend: Spend | null }) {
  const { t } = useTranslation();
  const { answers, compressions, uncounted } = spend ?? nothing;
  const rows = [
    ['answers', answers],
    ['compressions', compressions],
  ] as const;
  const some = rows.some(([, { read, written }]) => read + written > 0);
  return (
    <section aria-label={t('context.spend.title')}>
      <h3>{t('context.spend.title')}</h3>
      {some && (
        <table className="parts spend">
          <caption className="sr">{t('context.spend.caption')}</caption>
          <thead>
            <tr>
              <td />
              <th scope="col">{t('context.spend.read')}</th>
              <th scope="col">{t('context.spend.written')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([what, { read, written }]) => (
              <tr key={what}>
                <th scope="row">{t(`context.spend.${what}`)}</th>
                <td>{formatTokens(read)}</td>
                <td>{formatTokens(written)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="panel-why">{some ? t('context.spend.why') : t('context.spend.none')}</p>
      {uncounted > 0 && <p className="panel-why">{t('context.spend.uncounted', { count: uncounted })}</p>}
    </section>
  );
}

const nothing: Pick<Spend, 'answers' | 'compressions' | 'uncounted'> = {
  answers: { read: 0, written: 0 },
  compressions: { read: 0, written: 0 },
  uncounted: 0,
};
