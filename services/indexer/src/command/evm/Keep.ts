import { DATA_KINDS, type KindName, type PrunableKind, type Retention } from '@firn/evm-store'
import { OptionsError, Type } from '@firn/options'

/** A period for which a kind of data is kept, as given by `--keep`. */
export type Keep = {
  /** EVM chain id; undefined for all chains. */
  readonly chainId: bigint | undefined
  readonly kind: KindName
  /** Number of seconds; undefined for ever. */
  readonly seconds: bigint | undefined
}

const DAY = 86_400n
const UNITS: Readonly<Record<string, bigint>> = { h: 3_600n, d: DAY, w: 7n * DAY, y: 365n * DAY }
const ITEM = /^(?:(\d{1,20}):)?(\w+)=(?:forever|([1-9]\d{0,5})([hdwy]))$/

/**
 * Parses `[<chain id>:]<kind>=<period>`.
 * @throws OptionsError if data of the kind is always kept
 */
const parse = (text: string): Keep | undefined => {
  const [, chainId, kind = '', count, unit = ''] = ITEM.exec(text) ?? []
  if (!Object.hasOwn(DATA_KINDS, kind)) return undefined
  const name = kind as KindName
  if (count !== undefined && !DATA_KINDS[name].isPrunable)
    throw new OptionsError(`${text}: ${DATA_KINDS[name].contents} are always kept; use ${kind}=forever`)
  return {
    chainId: chainId === undefined ? undefined : BigInt(chainId),
    kind: name,
    seconds: count === undefined ? undefined : BigInt(count) * (UNITS[unit] ?? DAY),
  }
}

const format = ({ chainId, kind, seconds }: Keep): string =>
  `${chainId === undefined ? '' : `${chainId}:`}${kind}=${seconds === undefined ? 'forever' : `${seconds / 3_600n}h`}`

/** Type of `--keep`. */
export const TYPE: Type.Type<readonly Keep[]> = Type.list(
  Type.create({
    placeholder: 'kind=period',
    expected: `<kind>=<period> or <chain id>:<kind>=<period>, such as logs=30d, with a kind of ${Object.keys(DATA_KINDS).join(', ')}, and forever or a number of hours (h), days (d), weeks (w) or years (y)`,
    parse,
    format,
  }),
)

/**
 * Returns the retention of a chain. Periods that name the chain take precedence, and otherwise the last one does. If no
 * events are decoded, they need no period.
 * @throws OptionsError if transactions or headers are not kept as long as data that refers to them
 */
export const retentionOf = (keep: readonly Keep[], chainId: bigint, hasEvents: boolean): Retention => {
  const own = keep.filter((one) => one.chainId === chainId)
  const common = keep.filter((one) => one.chainId === undefined)
  const retention: Retention = Object.fromEntries(
    [...common, ...own].map(({ kind, seconds }) => [kind as PrunableKind, seconds]),
  )
  for (const [name, { refersTo }] of Object.entries(DATA_KINDS)) {
    const seconds = retention[name as PrunableKind]
    if (name === 'events' && !hasEvents && seconds === undefined) continue
    for (const referred of refersTo) {
      const limit = retention[referred]
      if (limit === undefined || (seconds !== undefined && seconds <= limit)) continue
      throw new OptionsError(
        `chain ${chainId}: ${referred} must be kept as long as ${name}, which refer to them; pass a shorter period for ${name} too`,
      )
    }
  }
  return retention
}
