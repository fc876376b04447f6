import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Model } from '../../../shared/model/provider';
import { fixtureProviders } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { ModelsPage } from './models-page';

afterEach(closeFixture);

async function show(change: Partial<Model>) {
  const providers = fixtureProviders().map((provider) =>
    provider.kind === 'embedded'
      ? {
          ...provider,
          models: provider.models.map((model) => ({
            ...model,
            practice: false,
            model: '/m/a.gguf',
            name: 'a',
            ...change,
          })),
        }
      : provider,
  );
  const bridge = await openFixture({ change: (snapshot) => ({ ...snapshot, providers }) });
  renderIn(<ModelsPage />);
  return bridge;
}
const click = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const ref = { providerId: 'embedded', model: '/m/a.gguf' };

it('a file of the user’s own is only taken off the list', async () => {
  const bridge = await show({ downloaded: false });
  await click('Remove');
  expect(askedFor(bridge, 'models.remove')).toEqual([ref]);
});

it('a downloaded file is deleted after a question that names its size', async () => {
  const bridge = await show({ downloaded: true, bytes: 2_497_280_736 });
  await click('Delete…');
  expect(screen.getByText(/Its file of 2\.5 GB is deleted from this computer, not moved to a bin/)).toBeTruthy();
  await click('Cancel');
  expect(askedFor(bridge, 'models.remove')).toEqual([]);
  await click('Delete…');
  await click('Delete the file');
  expect(askedFor(bridge, 'models.remove')).toEqual([ref]);
});
