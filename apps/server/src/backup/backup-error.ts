/** Why a backup or a restore was refused or failed. The message says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly code: 'base_in_use' | 'damaged' | 'not_a_backup' | 'not_empty' | 'unreadable' | 'wrong_place';

  constructor(code: BackupError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
