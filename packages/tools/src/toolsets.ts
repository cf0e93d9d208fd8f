import { basicTools } from './basic/basic-tools.ts';
import { exploreTools } from './explore/explore-tools.ts';
import { confirmPermanent, takesPermanent, undoHint } from './confirm-permanent.ts';
import { binaryHint } from './files/binary-hint.ts';
import { boundaryHint } from './files/boundary-hint.ts';
import { appendFileTool } from './files/append-file.ts';
import { copyPathTool } from './files/copy-path.ts';
import { createDirTool } from './files/create-dir.ts';
import { deletePathTool } from './files/delete-path.ts';
import { editFileTool } from './files/edit-file.ts';
import { fileInfoTool } from './files/file-info.ts';
import { getFileTreeTool } from './files/get-file-tree.ts';
import { globSearchTool } from './files/glob-search.ts';
import { grepSearchTool } from './files/grep-search.ts';
import { listDirTool } from './files/list-dir.ts';
import { movePathTool } from './files/move-path.ts';
import { readFileTool } from './files/read-file.ts';
import { readManyTool } from './files/read-many.ts';
import { readMediaTool } from './files/read-media.ts';
import type { FileToolkit } from './files/toolkit.ts';
import { writeFileTool } from './files/write-file.ts';
import type { AnyTool } from './tool.ts';
import type { ToolsetName } from './toolset-names.ts';
import type { WorkspaceSource } from './workspace-source.ts';

export interface ToolsetOptions {
  /** Leaves out every tool that changes files. */
  readonly readOnly?: boolean;
  /** Names `explore` leaves out of trees, lists and searches; `SERVER_EXCLUDES` unless given. */
  readonly exploreExcludes?: readonly string[];
}

/**
 * Creates the tools of one set for a workspace, in the order of listings, reading tools first.
 *
 * - `full`: the five of `files` with more arguments, and further tools
 * - `files`: `read_file`, `glob_search`, `grep_search`, `write_file`, `edit_file`
 * - `explore`: `get-file-tree`, `list-files`, `read-file`, `search-files`; never writes
 * - `basic`: `read_file`, `write_file`, `list_dir`, in plain text
 */
export function makeToolset(
  name: ToolsetName,
  source: WorkspaceSource,
  options: ToolsetOptions = {},
): readonly AnyTool[] {
  const tools = toolsOf(name, source, options);
  return options.readOnly ? tools.filter((tool) => tool.annotations.readOnlyHint) : tools;
}

function toolsOf(name: ToolsetName, source: WorkspaceSource, options: ToolsetOptions): readonly AnyTool[] {
  switch (name) {
    case 'explore':
      return exploreTools(source, options.exploreExcludes);
    case 'basic':
      return basicTools(source);
    case 'files':
      return fiveTools({ source, flavour: 'files' });
    case 'full':
      return fullTools({ source, flavour: 'full' }).map((tool) => {
        const asked = takesPermanent(tool) ? confirmPermanent(tool, source) : tool;
        const readHint = tool.annotations.readOnlyHint ? binaryHint : () => undefined;
        return {
          ...asked,
          hint: (error: unknown) => boundaryHint(error) ?? undoHint(error, tool) ?? readHint(error),
        };
      });
  }
}

function fiveTools(kit: FileToolkit): readonly AnyTool[] {
  return [readFileTool(kit), globSearchTool(kit), grepSearchTool(kit), writeFileTool(kit), editFileTool(kit)];
}

function fullTools(kit: FileToolkit): readonly AnyTool[] {
  return [
    readFileTool(kit),
    readManyTool(kit),
    readMediaTool(kit),
    listDirTool(kit),
    getFileTreeTool(kit),
    fileInfoTool(kit),
    globSearchTool(kit),
    grepSearchTool(kit),
    writeFileTool(kit),
    editFileTool(kit),
    appendFileTool(kit),
    createDirTool(kit),
    movePathTool(kit),
    copyPathTool(kit),
    deletePathTool(kit),
  ];
}
