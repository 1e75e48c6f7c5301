import { fileURLToPath } from 'node:url'
import ts from 'typescript-least'
import { expect, it } from 'vitest'

const path = (file: string): string =>
  fileURLToPath(new URL(`../../../packages/wallet/src/${file}`, import.meta.url))

/** Returns the declaration files of a source and its imports, as users install them. */
const declarationsOf = (source: string): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  const options: ts.CompilerOptions = {
    ...{ strict: true, declaration: true, emitDeclarationOnly: true, noEmitOnError: false, types: [] },
    ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext },
    ...{ moduleResolution: ts.ModuleResolutionKind.NodeNext, allowImportingTsExtensions: true },
    customConditions: ['source'],
  }
  const program = ts.createProgram([source], options)
  for (const file of program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.includes('/packages/wallet/src/')))
    program.emit(file, (name, text) => files.set(name, text), undefined, true)
  return files
}

it('shows the docstrings of a wallet’s operations to those who install the package', () => {
  const found = declarationsOf(path('operations.ts'))
  const operations = found.get(path('operations.d.ts')) ?? ''
  for (const table of ['PLATFORM_OPERATIONS', 'EXCHANGE_OPERATIONS', 'CONTRACT_OPERATIONS'])
    expect(operations).toContain(`typeof ${table}`)
  expect(found.get(path('platformOperations.d.ts'))).toMatch(/\/\*\* Transfers AVAX[^\n]*\n\s*transfer: /)
})
