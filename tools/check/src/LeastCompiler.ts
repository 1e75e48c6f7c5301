import { dirname } from 'node:path'
import ts from 'typescript-least'

/** Returns whether a file belongs to the compiled project or to one of its `@firn` packages. */
const isOwn = (path: string): boolean => !/\/node_modules\/(?!@firn\/)/.test(path)

/**
 * Compiles a project with the oldest supported TypeScript version and returns its messages; empty if there
 * are none. In the declarations of other libraries, only syntax is checked: checking their types takes
 * three quarters of the compiler's time.
 */
export const compile = (project: string): string => {
  const host: ts.ParseConfigFileHost = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined }
  const parsed = ts.getParsedCommandLineOfConfigFile(project, undefined, host)
  if (!parsed) return `error: cannot read ${project}\n`
  const program = ts.createProgram(parsed.fileNames, parsed.options)
  const own = program.getSourceFiles().filter(({ fileName }) => isOwn(fileName))
  const found = [
    ...parsed.errors,
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((file) => program.getSemanticDiagnostics(file)),
  ]
  return ts.formatDiagnostics(found, {
    getCurrentDirectory: () => dirname(project),
    getCanonicalFileName: (path) => path,
    getNewLine: () => '\n',
  })
}
