import { File, FileCode, FileImage, FileText, Folder } from 'lucide-react';
import { splitName } from './paths.ts';

/** The icon for the kind of an entry. Decorative. */
export function FileIcon({ name, type, size = 18 }: { name: string; type: 'file' | 'dir'; size?: number }) {
  if (type === 'dir') return <Folder aria-hidden="true" size={size} className="shrink-0 fill-accent/15 text-accent" />;
  const Icon = iconOf(splitName(name.toLowerCase())[1]);
  return <Icon aria-hidden="true" size={size} strokeWidth={1.7} className="shrink-0 text-soft" />;
}

function iconOf(ending: string) {
  if (/^\.(png|jpe?g|gif|webp|svg|ico|avif)$/.test(ending)) return FileImage;
  if (/^\.(md|markdown|txt|pdf|docx?|rtf|csv|log)$/.test(ending)) return FileText;
  if (/^\.([cm]?[jt]sx?|json|ya?ml|py|go|rs|java|rb|sh|html?|css|sql|toml|xml|c|h|cpp)$/.test(ending)) return FileCode;
  return File;
}
