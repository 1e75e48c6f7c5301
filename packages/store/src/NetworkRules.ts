import { Hex } from '@firn/codec'
import { Networks, Upgrades } from '@firn/genesis'
import { StoreError } from '@firn/sql'

/**
 * The constants that the operators of a network may choose, in addition to the upgrade times. All other constants
 * follow from the network id.
 */
const SETTINGS = ['txFee', 'createAssetTxFee', 'dynamicFee', 'validatorFee', 'staking', 'reward'] as const

/** A network's rules as JSON, with 64-bit numbers as decimal strings and bytes as hex. */
export interface Rules {
  readonly upgrades: unknown
  readonly settings: unknown
}

/** Returns the upgrade times and the {@link SETTINGS} of a network as JSON. */
export function format(constants: Networks.Constants): Rules {
  const settings = Object.fromEntries(SETTINGS.map((name) => [name, constants[name]]))
  return { upgrades: toJson(constants.upgrades), settings: toJson(settings) }
}

function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return Hex.encode(value)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toJson(item)]))
}

/**
 * Returns a network's constants: the stored rules, and the defaults of the network id for everything else.
 * @throws StoreError `STORE_CORRUPT`
 */
export function parse(networkId: number, { upgrades, settings }: Rules): Networks.Constants {
  const constants = Networks.of(networkId)
  const template = { upgrades: constants.upgrades, ...pick(constants) }
  return { ...constants, ...(fromJson({ upgrades, ...object(settings) }, template, '') as object) }
}

/**
 * Checks that both schedules have the same upgrade times up to `time` (Unix seconds), and the same duration of epochs if
 * they have epochs by then, so that blocks applied with one of them are also valid with the other.
 * @throws StoreError `STORE_UPGRADES`
 */
export function assertSamePast(stored: Upgrades.Upgrades, given: Upgrades.Upgrades, time: bigint): void {
  const isPast = (name: Upgrades.Name) => stored[name] <= time || given[name] <= time
  const upgrade = Upgrades.NAMES.find((name) => stored[name] !== given[name] && isPast(name))
  if (upgrade !== undefined) {
    const [own, other] = [format8601(stored[upgrade]), format8601(given[upgrade])]
    throw otherPast(time, upgrade, `${upgrade} at ${own}, not at ${other}`)
  }
  const { graniteEpochDuration: own } = stored
  const { graniteEpochDuration: other } = given
  if (own !== other && isPast('granite'))
    throw otherPast(time, 'graniteEpochDuration', `a graniteEpochDuration of ${own} ns, not ${other} ns`)
}

function otherPast(time: bigint, upgrade: keyof Upgrades.Upgrades, words: string): StoreError {
  return new StoreError(
    'STORE_UPGRADES',
    `The database's blocks up to ${format8601(time)} were applied with ${words}. Index again into an empty database, or correct the upgrade file.`,
    { details: { upgrade } },
  )
}

function format8601(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z')
}

function pick(constants: Networks.Constants): object {
  return Object.fromEntries(SETTINGS.map((name) => [name, constants[name]]))
}

/** Parses JSON into values of the same types as the template. Missing members take the template's values. */
function fromJson(json: unknown, template: unknown, path: string): unknown {
  if (json === undefined) return template
  try {
    if (typeof template === 'bigint') return BigInt(json as string)
    if (template instanceof Uint8Array) return Hex.decode(json as string)
  } catch (cause) {
    throw new StoreError('STORE_CORRUPT', `stored network rules: invalid value at ${path}`, { cause })
  }
  if (typeof template !== 'object' || template === null) return json
  const members = object(json)
  return Object.fromEntries(
    Object.entries(template).map(([name, item]) => [name, fromJson(members[name], item, `${path}.${name}`)]),
  )
}

function object(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {}
}
