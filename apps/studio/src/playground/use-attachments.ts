import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError } from '../api/request.ts';
import { upload } from '../api/upload.ts';
import { freeName } from '../files/paths.ts';
import { sentenceOf } from '../ui/state.tsx';

/** Where files go that are dropped on a message. */
const FOLDER = 'uploads';
const MAX_FILES = 20;
const MAX_TRIES = 50;

/** A file of the next message. */
export interface Attachment {
  readonly key: number;
  readonly path: string;
  readonly isUploading: boolean;
}

/** The files of the next message: chosen from the user's files, or uploaded to `uploads/`. */
export function useAttachments() {
  const client = useQueryClient();
  const [list, setList] = useState<readonly Attachment[]>([]);
  const [problem, setProblem] = useState<string>();
  const count = useRef(0);
  const running = useRef(new Map<number, AbortController>());
  async function store(key: number, file: File) {
    const stop = new AbortController();
    running.current.set(key, stop);
    try {
      const path = await uploadFree(file, stop.signal);
      setList((before) => before.map((each) => (each.key === key ? { key, path, isUploading: false } : each)));
      await client.invalidateQueries({ queryKey: ['files'] });
    } catch (error) {
      if (stop.signal.aborted) return;
      setList((before) => before.filter((each) => each.key !== key));
      setProblem(`${file.name} was not uploaded. ${sentenceOf(error)}`);
    } finally {
      running.current.delete(key);
    }
  }
  return {
    list,
    problem,
    paths: list.filter(({ isUploading }) => !isUploading).map(({ path }) => path),
    isUploading: list.some(({ isUploading }) => isUploading),
    add(path: string) {
      const key = ++count.current;
      setProblem(undefined);
      setList((before) =>
        before.some((each) => each.path === path) ? before : [...before, { key, path, isUploading: false }],
      );
    },
    upload(files: readonly File[]) {
      setProblem(files.length > MAX_FILES ? `Only the first ${MAX_FILES} files are attached.` : undefined);
      for (const file of files.slice(0, MAX_FILES)) {
        const key = ++count.current;
        setList((before) => [...before, { key, path: `${FOLDER}/${file.name}`, isUploading: true }]);
        void store(key, file);
      }
    },
    remove(key: number) {
      running.current.get(key)?.abort(new Error('The file was left out.'));
      setList((before) => before.filter((each) => each.key !== key));
    },
    clear: () => setList([]),
  };
}

/** Stores a file below a name that is free. */
async function uploadFree(body: File, signal: AbortSignal): Promise<string> {
  const taken = new Set<string>();
  for (let tries = 1; ; tries++) {
    const name = freeName(body.name, taken);
    const path = `${FOLDER}/${name}`;
    try {
      await upload({ path, body, overwrite: false, permanent: false, onProgress: () => undefined, signal });
      return path;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'exists') || tries === MAX_TRIES) throw error;
      taken.add(name);
    }
  }
}
