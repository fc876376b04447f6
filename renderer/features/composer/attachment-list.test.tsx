import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { type Attachment, type AttachmentHash, PASTE_MAX } from '../../../shared/model/attachment';
import type { DraftFiles } from '../../../shared/model/session';
import { appStore } from '../../stores/app-store';
import { attachStore } from '../../stores/attach-store';
import { fixtureTurn } from '../../testing/fixture-attempt';
import { branch, session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { Dock } from './dock';
import { FileDrop } from './file-drop';

afterEach(() => {
  closeFixture();
  attachStore.setState(attachStore.getInitialState(), true);
});

const sessionId = session(1);
const hash = (n: number) => String(n).padStart(64, '0') as AttachmentHash;
const file = (n: number, name: string): Attachment => ({
  hash: hash(n),
  name,
  kind: 'text',
  bytes: 2_048,
  tokens: 512,
});
const draft = (files: readonly Attachment[], reading: readonly string[] = []): DraftFiles => ({ files, reading });
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const rows = () => screen.queryAllByRole('listitem').map((row) => row.textContent);
const look = () => document.querySelector('.send')?.getAttribute('data-look');
const paste = (text: string, files: readonly File[] = []) =>
  act(async () => fireEvent.paste(field(), { clipboardData: { files, getData: () => text } }));

async function showDock(draftFiles = draft([])) {
  const bridge = await openFixture({ view: (view) => ({ ...view, draftFiles }) });
  bridge.handlers['attachments.add'] = () => [];
  renderIn(
    <FileDrop>
      <Dock />
    </FileDrop>,
  );
  return bridge;
}

describe('the files of the next message', () => {
  it('are listed with name, size and tokens, and taken away', async () => {
    const bridge = await showDock(draft([file(1, 'a.ts'), file(2, 'b.pdf')]));
    expect(rows()).toEqual(['a.ts2 kB512 tokens', 'b.pdf2 kB512 tokens']);
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Remove b.pdf' })));
    expect(askedFor(bridge, 'attachments.remove')).toEqual([{ sessionId, hash: hash(2) }]);
    await act(async () => bridge.emit({ type: 'draft.files', sessionId, draftFiles: draft([file(1, 'a.ts')]) }));
    expect(rows()).toHaveLength(1);
  });

  it('show what the model gets of them', async () => {
    const bridge = await showDock(draft([file(1, 'a.pdf')]));
    bridge.handlers['attachments.preview'] = () => ({ text: 'The words', chars: 1_009, image: null });
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'a.pdf' })));
    const dialog = screen.getByRole('dialog', { name: 'a.pdf' });
    expect(dialog.textContent).toContain('1,009 characters.');
    expect(within(dialog).getByText('1,000 more characters are not shown here.')).toBeTruthy();
  });

  it('go with the message, which needs no words of its own', async () => {
    const bridge = await showDock(draft([file(1, 'a.ts'), file(2, 'b.ts')]));
    expect(look()).toBe('ready');
    await act(async () => fireEvent.keyDown(field(), { key: 'Enter' }));
    expect(askedFor(bridge, 'messages.send')).toMatchObject([
      { sessionId, branchId: branch(1), text: '', attachments: [hash(1), hash(2)] },
    ]);
  });

  it('hold the message back while one of them is being read', async () => {
    const bridge = await showDock(draft([file(1, 'a.ts')], ['plan.pdf']));
    expect(rows()).toEqual(['a.ts2 kB512 tokens', 'Reading plan.pdf']);
    expect(look()).toBe('nothing');
    fireEvent.change(field(), { target: { value: 'Look' } });
    await act(async () => fireEvent.keyDown(field(), { key: 'Enter' }));
    expect(askedFor(bridge, 'messages.send')).toEqual([]);
    await act(async () => bridge.emit({ type: 'draft.files', sessionId, draftFiles: draft([file(1, 'a.ts')]) }));
    await act(async () => fireEvent.keyDown(field(), { key: 'Enter' }));
    expect(askedFor(bridge, 'messages.send')).toHaveLength(1);
  });

  it('come by the button, by drop and by paste', async () => {
    const bridge = await showDock();
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Attach files' })));
    const dropped = new File(['x'], 'dropped.txt', { type: 'text/plain' });
    const data = { files: [dropped], types: ['Files'] };
    fireEvent.dragOver(field(), { dataTransfer: data });
    expect(screen.getByText('Drop files to attach them')).toBeTruthy();
    await act(async () => fireEvent.drop(field(), { dataTransfer: data }));
    expect(screen.queryByText('Drop files to attach them')).toBeNull();
    await paste('', [dropped]);
    expect(askedFor(bridge, 'attachments.add')).toEqual([
      { sessionId, files: 0 },
      { sessionId, files: [dropped] },
      { sessionId, files: [dropped] },
    ]);
  });

  it('are made of a text that is too long for the field, each under a name of its own', async () => {
    const first = { ...file(1, 'Pasted text'), kind: 'paste' } as const;
    const bridge = await showDock(draft([first]));
    await paste('a'.repeat(PASTE_MAX));
    expect(askedFor(bridge, 'attachments.paste')).toEqual([]);
    await paste('a'.repeat(PASTE_MAX + 1));
    expect(askedFor(bridge, 'attachments.paste')).toEqual([
      { sessionId, name: 'Pasted text 2', text: 'a'.repeat(PASTE_MAX + 1) },
    ]);
    await paste('a'.repeat(1_000_001));
    expect(rows()[0]).toContain('has too much text');
    expect(askedFor(bridge, 'attachments.paste')).toHaveLength(1);
  });

  it('that were refused say why until they are dismissed', async () => {
    const bridge = await showDock();
    bridge.handlers['attachments.add'] = () => [
      { name: 'a.bin', code: 'attachment-kind', fields: { file: 'a.bin' } },
      { name: 'b.txt', code: 'disk-full', fields: {} },
    ];
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Attach files' })));
    expect(rows().map((row) => row?.slice(0, 17))).toEqual(['“a.bin” is neithe', 'The disk is full.']);
    expect(screen.getAllByRole('status').some(({ textContent }) => textContent?.includes('The disk is full'))).toBe(
      true,
    );
    await act(async () => fireEvent.click(screen.getAllByRole('button', { name: 'Dismiss' })[0] as HTMLElement));
    expect(rows()).toHaveLength(1);
  });

  it('may be pictures: one of the clipboard goes by its bytes, and one that the model cannot see is marked', async () => {
    const image = { ...file(1, 'photo.png'), kind: 'image' } as const;
    const bridge = await showDock(draft([image]));
    await paste('', [new File(['xy'], 'image.png', { type: 'image/png' })]);
    expect(askedFor(bridge, 'attachments.pasteImage')).toEqual([
      { sessionId, name: 'Pasted image', bytes: new Uint8Array([120, 121]) },
    ]);
    expect(rows()).toEqual(['photo.pngnot seen by this model2 kB512 tokens']);
    bridge.handlers['attachments.preview'] = () => ({ text: '', chars: 0, image: 'data:image/png;base64,AA==' });
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'photo.png' })));
    expect(screen.getByRole('img', { name: 'photo.png' }).getAttribute('src')).toBe('data:image/png;base64,AA==');
    const { providers } = appStore.getState();
    const seeing = providers.map((one) => ({ ...one, models: one.models.map((model) => ({ ...model, sees: true })) }));
    await act(async () => bridge.emit({ type: 'providers.changed', providers: seeing, defaultModel: null }));
    expect(screen.queryByText('not seen by this model')).toBeNull();
  });

  it('wait with their message', async () => {
    const bridge = await showDock();
    const waiting = { id: bridge.message(1).id, text: '', files: [file(1, 'a.ts'), file(2, 'b.ts')], createdAt: 0 };
    await act(async () => {
      bridge.emit({ type: 'turn.changed', sessionId, turn: fixtureTurn({ state: 'streaming' }) });
      bridge.emit({ type: 'outbox.changed', sessionId, outbox: [waiting] });
    });
    expect(screen.getByText('a.ts, b.ts')).toBeTruthy();
    expect(screen.getByText('2 files')).toBeTruthy();
  });
});
