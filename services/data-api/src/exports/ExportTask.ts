import { excerpt, isJsonObject } from '@firn/codec'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { CONTENTS, type Selecting } from './ExportKind.ts'
import { FORMATS, type FormatName } from './Format.ts'
import { OPERATION_TYPES, type OperationType } from './Kinds.ts'

const MAX_ADDRESSES = 64
const MAX_CHAINS = 32

const date = (what: string) =>
  Schema.optional(
    Schema.text(`${what}, as YYYY-MM-DD in UTC`, '2026-01-31', { pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  )

/** The body of a request for an export. */
export const ExportBody = Schema.object('TransactionExportRequest', 'Transactions to export', {
  type: Schema.choice(OPERATION_TYPES, 'Kind of export'),
  firstDate: date('First day'),
  lastDate: date('Last day, inclusive'),
  startDate: date('Deprecated name of firstDate'),
  endDate: date('Deprecated name of lastDate'),
  format: Schema.optional(Schema.choice(FORMATS, 'Format of the file; csv by default')),
  contents: Schema.optional(
    Schema.choice(CONTENTS, 'For EVM chains: transactions (default), or transfers of tokens'),
  ),
  options: Schema.object('TransactionExportOptions', 'Chains and addresses', {
    addresses: Schema.optional(
      Schema.list(
        Schema.text('Address', '0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC'),
        'Addresses; without any, all transactions are exported',
        { maxItems: MAX_ADDRESSES },
      ),
    ),
    cChainEvmAddresses: Schema.optional(
      Schema.list(
        Schema.text('EVM address', '0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC'),
        'EVM addresses of atomic transactions of the C-chain',
        { maxItems: MAX_ADDRESSES },
      ),
    ),
    includeChains: Schema.list(
      Schema.text('EVM chain id, or id or name of a blockchain', '43114'),
      'Chains to export',
      { maxItems: MAX_CHAINS },
    ),
  }),
})

/** A checked request for an export. */
export interface ExportTask extends Selecting {
  readonly type: OperationType
  readonly format: FormatName
}

const DAY = 86_400

/**
 * Checks the body of a request, except for its addresses and chains.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function parse(body: unknown): ExportTask {
  const given = objectOf('body', body)
  const options = objectOf('options', given['options'])
  const type = choose('type', given['type'], OPERATION_TYPES)
  const first = dateOf(given, 'firstDate', 'startDate')
  const last = dateOf(given, 'lastDate', 'endDate')
  if (first !== undefined && last !== undefined && first > last) {
    throw Parameter.refused('lastDate', 'a day from firstDate on', 'an earlier day')
  }
  const chains = textsOf('options.includeChains', options['includeChains'], MAX_CHAINS)
  if (chains.length === 0) throw Parameter.refused('options.includeChains', 'at least one chain', 'none')
  return {
    type,
    format: choose('format', given['format'], FORMATS, 'csv'),
    contents: choose('contents', given['contents'], CONTENTS, 'transactions'),
    from: first,
    until: last === undefined ? undefined : last + DAY,
    addresses: [
      ...textsOf('options.addresses', options['addresses'], MAX_ADDRESSES),
      ...textsOf('options.cChainEvmAddresses', options['cChainEvmAddresses'], MAX_ADDRESSES),
    ],
    chains: [...new Set(chains)],
  }
}

/** Formats a time in Unix seconds as its day in UTC. */
export function dayOf(time: bigint): string {
  return new Date(Number(time) * 1_000).toISOString().slice(0, 10)
}

function objectOf(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isJsonObject(value)) return value as Record<string, unknown>
  throw Parameter.refused(name, 'an object', excerpt(value))
}

function choose<const T extends string>(name: string, value: unknown, words: readonly T[], fallback?: T): T {
  const found = value === undefined ? fallback : words.find((word) => word === value)
  if (found !== undefined) return found
  throw Parameter.refused(name, `one of ${words.join(', ')}`, excerpt(value))
}

function textsOf(name: string, value: unknown, most: number): readonly string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.length <= most && value.every((one) => typeof one === 'string'))
    return value
  throw Parameter.refused(name, `a list of at most ${most} texts`, excerpt(value))
}

/** Returns the start of a day in Unix seconds. */
function dateOf(given: Readonly<Record<string, unknown>>, name: string, former: string): number | undefined {
  const value = given[name] ?? given[former]
  if (value === undefined) return undefined
  const time =
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
      ? Date.parse(`${value}T00:00:00Z`)
      : Number.NaN
  // Date.parse accepts 2026-02-30.
  if (time >= 0 && new Date(time).toISOString().startsWith(value as string)) return time / 1_000
  throw Parameter.refused(name, 'a day such as 2026-01-31', excerpt(value))
}
