import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import * as Fences from './Fences.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = join(root, 'tools/check/.firn/transaction-types')
const copy = join(folder, 'txs')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** New transaction types that no file handles yet. `WithoutRoleTx` also lacks a stake role. */
const ADDED = {
  'platform/UnsignedTx.ts': `
    PlatformProbeTx: entry(98, StakerTx.AddDelegatorTx, 'delegator', { stake: (tx) => tx.stake }),
    WithoutRoleTx: entry(99, StakerTx.AddDelegatorTx, 'delegator', {}),`,
  'avm/AvmTx.ts': 'AvmProbeTx: entry(99, Codec.struct(base), {}),',
  'atomic/AtomicTx.ts': 'AtomicProbeTx: entry(99, Codec.struct(begin), {}),',
}

/** Folders and files outside the package `txs` that must handle every transaction type. */
const CONSUMERS = [
  'packages/ledger/src',
  'packages/store/src/internal/stakingTypes.ts',
  'services/data-api/src/primary',
  'services/data-api/src/signature-aggregator',
  'services/data-api/src/webhooks/primary',
]

const prepare = () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  cpSync(join(root, 'packages/txs/src'), join(copy, 'src'), { recursive: true })
  cpSync(join(root, 'packages/txs/package.json'), join(copy, 'package.json'))
  symlinkSync(join(root, 'packages/txs/node_modules'), join(copy, 'node_modules'))
  for (const [file, rows] of Object.entries(ADDED)) {
    const path = join(copy, 'src', file)
    const source = readFileSync(path, 'utf8')
    const begin = 'export const TYPES = {\n'
    expect(source).toContain(begin)
    writeFileSync(path, source.replace(begin, `${begin}${rows}\n`))
  }
  const compilerOptions = {
    composite: false,
    incremental: false,
    declaration: false,
    declarationMap: false,
    noEmit: true,
    noErrorTruncation: true,
    rootDir: root,
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node'],
    paths: { '@firn/txs': [join(copy, 'src/index.ts')] },
  }
  const include = [join(copy, 'src'), ...CONSUMERS.map((path) => join(root, path))]
  const exclude = ['**/*.test.ts', '**/*.bench.ts', join(copy, 'src/testing/properties.ts')]
  const configuration = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include, exclude }
  const path = join(folder, 'tsconfig.json')
  writeFileSync(path, JSON.stringify(configuration))
  return path
}

/**
 * Compiles a project and returns each error as the file in the repository and the first line of the message.
 */
const compile = async (project: string) => {
  const output = await Fences.runCompiler(project, root)
  return [...output.matchAll(/^(\S.*?)\(\d+,\d+\): error (.*)$/gm)].map(([, path = '', message = '']) => ({
    file: path.replace('tools/check/.firn/transaction-types/txs', 'packages/txs'),
    message,
  }))
}

/** Returns the files in which a map lacks an entry for the transaction type. */
const lacking = (errors: Awaited<ReturnType<typeof compile>>, type: string) => [
  ...new Set(
    errors
      .filter(({ message }) => new RegExp(`^TS27(39|41): .*missing.*${type}`).test(message))
      .map(({ file }) => file),
  ),
]

/**
 * Files that must handle a P-chain transaction type that adds a staker. `stakers.ts` and `stakingTypes.ts`
 * need no entry for other types.
 */
const PLATFORM = [
  'packages/ledger/src/internal/platformRules.ts',
  'packages/ledger/src/internal/stakers.ts',
  'packages/store/src/internal/stakingTypes.ts',
  'packages/txs/src/platform/Complexity.ts',
  'packages/txs/src/platform/PlatformSyntax.ts',
  'packages/txs/src/testing/intents.ts',
  'services/data-api/src/primary/platform/describe.ts',
  'services/data-api/src/signature-aggregator/L1Transaction.ts',
  'services/data-api/src/webhooks/primary/validatorEvents.ts',
]

describe('a new transaction type', () => {
  test('fails to compile as long as a file does not handle the new transaction type', async () => {
    const errors = await compile(prepare())
    expect(lacking(errors, 'PlatformProbeTx').sort()).toEqual(PLATFORM)
    expect(lacking(errors, 'AvmProbeTx').sort()).toEqual([
      'packages/ledger/src/internal/avmTransactions.ts',
      'packages/txs/src/avm/AvmFees.ts',
      'packages/txs/src/avm/AvmSyntax.ts',
      'services/data-api/src/primary/shapes/AvmTransaction.ts',
    ])
    expect(lacking(errors, 'AtomicProbeTx').sort()).toEqual([
      'packages/txs/src/atomic/AtomicRequests.ts',
      'packages/txs/src/atomic/AtomicSyntax.ts',
      'services/data-api/src/primary/atomic/shape.ts',
    ])
    const withoutRole = errors.filter(({ file }) => file === 'packages/txs/src/platform/UnsignedTx.ts')
    expect(withoutRole.map(({ message }) => message.slice(0, 41))).toEqual([
      "TS2345: Argument of type '{}' is not assi",
    ])
  })

  test('lists in the README all files that must handle a new transaction type', () => {
    const readme = readFileSync(join(root, 'packages/txs/README.md'), 'utf8')
    for (const path of PLATFORM) expect(readme).toContain(path)
  })
})
