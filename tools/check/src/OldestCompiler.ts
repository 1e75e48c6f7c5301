import { relative } from 'node:path'
import ts from 'typescript-least'

/** Checks projects with the oldest supported TypeScript. */
export type OldestCompiler = {
  /**
   * Returns the messages about the project whose configuration is `project`, in the format of `tsc`; empty if there are
   * none. The type declarations of other libraries are checked by the first call that reads them.
   */
  messages(project: string): string
}

/**
 * Creates a compiler. It runs in this process, because other libraries have ten times as many declarations as ours, and
 * `tsc` would check them again for each setting. `isOwn` returns whether to check a file every time.
 */
export const create = (folder: string, isOwn: (path: string) => boolean): OldestCompiler => {
  const checked = new Set<string>()
  const isDue = ({ fileName }: ts.SourceFile): boolean => isOwn(fileName) || !checked.has(fileName)
  return {
    messages: (project) => {
      const { config } = ts.readConfigFile(project, ts.sys.readFile)
      const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
      const program = ts.createProgram(fileNames, options)
      const due = program.getSourceFiles().filter(isDue)
      const found = [
        ...errors,
        ...program.getOptionsDiagnostics(),
        ...due.flatMap((file) => program.getSyntacticDiagnostics(file)),
        ...due.flatMap((file) => program.getSemanticDiagnostics(file)),
        ...program.getGlobalDiagnostics(),
      ]
      for (const { fileName } of due) checked.add(fileName)
      return ts.formatDiagnostics(found, {
        getCanonicalFileName: (path) => path,
        getCurrentDirectory: () => folder,
        getNewLine: () => '\n',
      })
    },
  }
}

/** Returns whether a path is one of a project in `folder` itself, or of a Firn package that is installed in it. */
export const isOwn =
  (folder: string) =>
  (path: string): boolean =>
    !/(^|\/)(\.\.|node_modules\/(?!@firn\/))/.test(relative(folder, path).replaceAll('\\', '/'))
