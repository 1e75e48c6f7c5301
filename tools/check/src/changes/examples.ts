import { parse } from '../Source.ts'
import { type Change, copy, create, type Edit, insertAfter } from './Change.ts'

/** Copies each entry of the objects of a file that has the key, under a new key. */
const duplicateEntry = (file: string, key: string, name: string, rest: Partial<Edit> = {}): Edit => ({
  file,
  apply: (text) => {
    const entries = parse(file, text).nodes.filter(
      ({ type, key: found }) => type === 'Property' && (found as { name?: string }).name === key,
    )
    if (entries.length === 0) throw new Error(`${file} has no entry ${key}`)
    return entries.reduceRight((changed, { start, end }) => {
      const entry = text.slice(start, Number(end))
      return `${changed.slice(0, start)}${entry.replaceAll(key, name)},\n  ${changed.slice(start)}`
    }, text)
  },
  ...rest,
})

const metrics = 'services/indexer/src/primary/Metrics.ts'

const metric: Change = {
  name: 'a metric',
  rows: ['a metric'],
  edits: [
    insertAfter(metrics, 'readonly standby: Gauge', '  readonly probes: Counter', { isOptional: true }),
    insertAfter(metrics, 'const metrics = {', "    probes: counter('probes_total', 'Number of probes.'),"),
  ],
  builds: ['services/indexer'],
}

const command: Change = {
  name: 'a command',
  rows: ['a command of `firn`'],
  edits: [
    create(
      'tools/cli/src/commands/Probe.ts',
      `import { Command } from '@firn/options'

export const PROBE = Command.create({
  description: 'Prints a line.',
  example: '',
  options: {},
  run: async (_, { terminal }) => terminal.print('here'),
})
`,
    ),
    insertAfter(
      'tools/cli/src/Program.ts',
      "    list: entry('list keys by their first characters', async () => (await import('./commands/Keys.ts')).LIST),",
      "    probe: entry('print a line', async () => (await import('./commands/Probe.ts')).PROBE),",
      { isOptional: true },
    ),
  ],
  builds: ['tools/cli'],
}

const kinds = 'services/data-api/src/webhooks/kinds'

const webhook: Change = {
  name: 'a kind of webhooks',
  rows: ['a kind of webhooks'],
  edits: [
    copy(`${kinds}/Probe.ts`, `${kinds}/IcmUndelivered.ts`, [
      ['icmUndelivered', 'probe'],
      ['icm_undelivered', 'probe'],
      ['IcmUndelivered', 'Probe'],
    ]),
    insertAfter(
      `${kinds}/Kinds.ts`,
      "import type { Kind } from './Kind.ts'",
      "import { probe } from './Probe.ts'",
    ),
    insertAfter(`${kinds}/Kinds.ts`, '  icm_undelivered: icmUndelivered,', '  probe,', { isOptional: true }),
    insertAfter(
      'apps/console/src/pages/Webhooks.tsx',
      "  icm_undelivered: 'Undelivered messages',",
      "  probe: 'Probes',",
    ),
  ],
  generate: { script: 'tools/openapi/src/writeClientSource.ts', after: ['tools/openapi'] },
  builds: ['services/data-api', 'apps/console'],
}

const endpoints = 'services/data-api/src/evm'

/** An endpoint for EVM chains, as a copy of another one with other parts replaced. */
const endpointEdits = (replaced: readonly (readonly [string, string])[]): readonly Edit[] => [
  copy(`${endpoints}/listProbes.ts`, `${endpoints}/tokens/listDeployments.ts`, [
    ['listDeployments', 'listProbes'],
    ["'../../", "'../"],
    ...['chain', 'shapes', 'spam'].map((folder) => [`'../${folder}/`, `'./${folder}/`] as const),
    ...replaced,
  ]),
  insertAfter(
    `${endpoints}/Endpoints.ts`,
    "import { getChain, listChains } from './listChains.ts'",
    "import { listProbes } from './listProbes.ts'",
  ),
  insertAfter(`${endpoints}/Endpoints.ts`, '  return [', '    listProbes(context),', { isOptional: true }),
]

const endpoint: Change = {
  name: 'a REST endpoint',
  rows: ['a REST endpoint'],
  edits: endpointEdits([]),
  builds: ['services/data-api'],
}

const tables = 'packages/evm-store/src'

/** A table of the deposits of wrapped tokens, filled like `wrapping`, with a query and an endpoint. */
const derivedTable: Change = {
  name: 'a derived EVM table',
  rows: ['a derived EVM table', 'a REST endpoint'],
  edits: [
    duplicateEntry(`${tables}/TokenTables.ts`, 'wrapping', 'probe'),
    insertAfter(
      `${tables}/EvmSchema.ts`,
      "export type WrappingRow = EvmDatabase['wrapping']",
      "export type ProbeRow = EvmDatabase['probe']",
    ),
    duplicateEntry(`${tables}/DataKinds.ts`, 'wrapping', 'probe'),
    duplicateEntry(`${tables}/Placement.ts`, 'wrapping', 'probe'),
    {
      file: `${tables}/internal/Consequences.ts`,
      apply: (text) => {
        const at = text.indexOf('async function writeWrappings')
        const write = /async function writeWrappings[\s\S]*?\n}\n/.exec(text)?.[0] ?? ''
        const renamed = write
          .replace('writeWrappings', 'writeProbes')
          .replace('WrappingRow', 'ProbeRow')
          .replace("'wrapping', EVM_TABLES.wrapping", "'probe', EVM_TABLES.probe")
        return `${text.slice(0, at)}${renamed}\n${text.slice(at)}`
          .replace('type WrappingRow', 'type ProbeRow, type WrappingRow')
          .replace('() => writeWrappings(session, blocks),', '$&\n      () => writeProbes(session, blocks),')
      },
      isOptional: true,
    },
    insertAfter(
      `${tables}/internal/undo.ts`,
      'const CHECKS = [',
      "  'delete from probe where height > $1',",
      {
        isOptional: true,
      },
    ),
    create(
      `${tables}/queries/Probes.ts`,
      `import { fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import type { ProbeRow } from '../EvmSchema.ts'
import type { EvmStore } from '../EvmStore.ts'

export const upTo = (store: EvmStore, height: bigint): Promise<readonly ProbeRow[]> =>
  fetchRows(store, sql<ProbeRow>\`select * from probe where height <= \${String(height)}\`)
`,
    ),
    insertAfter(
      `${tables}/index.ts`,
      "export * as EvmMetrics from './queries/Metrics.ts'",
      "export * as EvmProbes from './queries/Probes.ts'",
    ),
    ...endpointEdits([
      ['import { EvmCreations }', 'import { EvmCreations, EvmProbes }'],
      ['const addresses =', 'await EvmProbes.upTo(source.store, 1n)\n      const addresses ='],
    ]).map((edit) => ({ ...edit, isOptional: true })),
  ],
  builds: ['services/data-api', 'services/indexer'],
}

const [LIKE, PROBE] = ['AddDelegatorTx', 'ProbeTx'] as const

const transaction: Change = {
  name: 'a P-chain transaction type',
  rows: ['a P-chain transaction type'],
  edits: [
    {
      file: 'packages/txs/src/platform/UnsignedTx.ts',
      apply: (text) =>
        text.replace(
          'export const TYPES = {\n',
          `$&  ${PROBE}: entry(99, StakerTx.${LIKE}, 'delegator', { stake: (tx) => tx.stake }),\n`,
        ),
    },
    ...[
      'packages/txs/src/platform/Complexity.ts',
      'packages/txs/src/platform/PlatformSyntax.ts',
      'packages/txs/src/testing/intents.ts',
      'packages/ledger/src/internal/stakers.ts',
      'packages/store/src/internal/stakingTypes.ts',
      'services/data-api/src/primary/platform/describe.ts',
      'services/data-api/src/signature-aggregator/L1Transaction.ts',
      'services/data-api/src/webhooks/primary/validatorEvents.ts',
    ].map((file) => duplicateEntry(file, LIKE, PROBE)),
    insertAfter(
      'packages/ledger/src/internal/platformRules.ts',
      "  AddDelegatorTx: { until: 'durango', standard: stakers.add, proposal: proposals.addStaker },",
      `  ${PROBE}: { standard: stakers.add },`,
    ),
  ],
  builds: ['packages/txs', 'services/data-api', 'services/indexer'],
}

/** One example of each kind of change that ARCHITECTURE.md has a row for and that is tried. */
export const CHANGES: readonly Change[] = [metric, command, webhook, endpoint, derivedTable, transaction]
