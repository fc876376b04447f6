import type { ToolFolder } from '../../shared/model/tools';
import { all, type ReadDb, run, type WriteTx } from './database';

/** In the order of their names: models are told of them in it. */
export function allToolFolders(db: ReadDb): ToolFolder[] {
  return all<ToolFolder>(db, 'SELECT name, path FROM tool_folders ORDER BY name');
}
/** Nothing where this folder is granted already. */
export function insertToolFolder(tx: WriteTx, folder: ToolFolder, now: number): void {
  run(
    tx,
    'INSERT INTO tool_folders (name, path, created_at) VALUES (:name, :path, :now) ON CONFLICT (path) DO NOTHING',
    { ...folder, now },
  );
}
export function deleteToolFolder(tx: WriteTx, name: string): void {
  run(tx, 'DELETE FROM tool_folders WHERE name = :name', { name });
}
