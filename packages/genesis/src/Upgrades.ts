import { excerpt, Id, isJsonObject, Json, NodeRelease } from '@firn/codec'
import { GenesisError } from './GenesisError.ts'

/** Names of the upgrades that have an activation time, in activation order. */
export const NAMES = NodeRelease.UPGRADES

/** The name of an upgrade. */
export type Name = NodeRelease.Upgrade

/** Activation times (Unix seconds) and parameters of a network's upgrades. */
export interface Upgrades extends Readonly<Record<Name, bigint>> {
  /** P-chain height from which blocks are proposervm blocks, once the time of `apricotPhase4` is reached. */
  readonly apricotPhase4MinPChainHeight: bigint
  /**
   * Id of the X-chain's last vertex (32 bytes), which is the parent of its first block. The id is zero for a network
   * whose only vertex is the empty stop vertex.
   */
  readonly cortinaXChainStopVertexId: Uint8Array
  /** Duration of an epoch, in which a chain uses one P-chain height (ACP-181), in nanoseconds. */
  readonly graniteEpochDuration: bigint
}

/**
 * 2020-12-05, 05:00 UTC. On networks other than Mainnet and Fuji, an upgrade with this time is active from
 * the first block.
 */
export const INITIALLY_ACTIVE = 1_607_144_400n

/** 9999-12-01, the time of an upgrade that is not scheduled yet. */
export const UNSCHEDULED = 253_399_622_400n

const SECOND = 1_000_000_000n

/**
 * Upgrade times of Mainnet. Sources: avalanchego `upgrade` at commit 1cf1fc3d17; for Helicon the notes of release
 * v1.15.0, which schedule it at 2026-09-22 15:00 UTC.
 */
export const MAINNET: Upgrades = {
  apricotPhase1: 1_617_199_200n,
  apricotPhase2: 1_620_644_400n,
  apricotPhase3: 1_629_813_600n,
  apricotPhase4: 1_632_344_400n,
  apricotPhase4MinPChainHeight: 793_005n,
  apricotPhase5: 1_638_468_000n,
  apricotPhasePre6: 1_662_341_400n,
  apricotPhase6: 1_662_494_400n,
  apricotPhasePost6: 1_662_519_600n,
  banff: 1_666_108_800n,
  cortina: 1_682_434_800n,
  cortinaXChainStopVertexId: Id.parse('jrGWDh5Po9FMj54depyunNixpia5PN4aAYxfmNzU8n752Rjga'),
  durango: 1_709_740_800n,
  etna: 1_734_368_400n,
  fortuna: 1_744_124_400n,
  granite: 1_763_568_000n,
  graniteEpochDuration: 300n * SECOND,
  helicon: 1_790_089_200n,
}

/**
 * Upgrade times of Fuji. Sources: avalanchego `upgrade` at commit 1cf1fc3d17; for Helicon the same file at the tag
 * v1.15.0-fuji, 2026-07-28 15:00 UTC.
 */
export const FUJI: Upgrades = {
  apricotPhase1: 1_616_767_200n,
  apricotPhase2: 1_620_223_200n,
  apricotPhase3: 1_629_140_400n,
  apricotPhase4: 1_631_826_000n,
  apricotPhase4MinPChainHeight: 47_437n,
  apricotPhase5: 1_637_766_000n,
  apricotPhasePre6: 1_662_494_400n,
  apricotPhase6: 1_662_494_400n,
  apricotPhasePost6: 1_662_530_400n,
  banff: 1_664_805_600n,
  cortina: 1_680_793_200n,
  cortinaXChainStopVertexId: Id.parse('2D1cmbiG36BqQMRyHt4kFhWarmatA1ighSpND3FeFgz3vFVtCZ'),
  durango: 1_707_840_000n,
  etna: 1_732_550_400n,
  fortuna: 1_741_878_000n,
  granite: 1_761_750_000n,
  graniteEpochDuration: 300n * SECOND,
  helicon: 1_785_250_800n,
}

/**
 * Upgrade times of the local network and of custom networks in avalanchego up to v1.15.0: all upgrades up to Granite
 * are active from the start. From v1.15.1 on, Helicon is too; an upgrade file or the answer of `info.upgrades` says so.
 */
export const DEFAULT: Upgrades = {
  ...(Object.fromEntries(NAMES.map((name) => [name, INITIALLY_ACTIVE])) as Record<Name, bigint>),
  apricotPhase4MinPChainHeight: 0n,
  cortinaXChainStopVertexId: Id.EMPTY,
  graniteEpochDuration: 30n * SECOND,
  helicon: UNSCHEDULED,
}

/**
 * Returns whether the upgrade is active at `time` (Unix seconds).
 * @example
 * ```ts
 * import { Upgrades } from '@firn/genesis'
 *
 * Upgrades.isActive(Upgrades.MAINNET, 'etna', 1_734_368_400n) // true
 * ```
 */
export function isActive(upgrades: Upgrades, name: Name, time: bigint): boolean {
  return upgrades[name] <= time
}

/**
 * How long before the Helicon time the C-chain's nodes switch to the implementation since Helicon, in seconds.
 */
const SWITCH_SECONDS = 10n

/**
 * Returns whether nodes use the C-chain implementation since Helicon after a block of the time `time` (Unix seconds). They
 * switch 10 seconds before Helicon is active.
 * @example
 * ```ts
 * import { Upgrades } from '@firn/genesis'
 *
 * const upgrades = { ...Upgrades.DEFAULT, helicon: 1_800_000_000n }
 * Upgrades.hasSwitchedCChain(upgrades, 1_799_999_990n) // true
 * ```
 */
export function hasSwitchedCChain({ helicon }: Upgrades, time: bigint): boolean {
  return time >= helicon - SWITCH_SECONDS
}

/**
 * Checks that no upgrade activates after a later upgrade.
 * @example
 * ```ts
 * import { Upgrades } from '@firn/genesis'
 *
 * Upgrades.assertOrdered({ ...Upgrades.DEFAULT, helicon: 1_800_000_000n })
 * ```
 * @throws GenesisError `GENESIS_UPGRADES` with `details.upgrade`
 */
export function assertOrdered(upgrades: Upgrades): void {
  const index = NAMES.findIndex((name, i) => i > 0 && upgrades[NAMES[i - 1] as Name] > upgrades[name])
  if (index < 0) return
  const [before, upgrade] = [NAMES[index - 1] as Name, NAMES[index] as Name]
  throw new GenesisError('GENESIS_UPGRADES', `${upgrade} must not activate before ${before}`, {
    details: { upgrade, before },
  })
}

/**
 * Returns the upgrades as the JSON of `info.upgrades`, without the members that are missing. Print it with
 * `Json.stringify`.
 * @example
 * ```ts
 * import { Json } from '@firn/codec'
 * import { Upgrades } from '@firn/genesis'
 *
 * Json.stringify(Upgrades.toJSON(Upgrades.MAINNET)) // '{"apricotPhase1Time":"2021-03-31T14:00:00Z",…}'
 * ```
 * @throws CodecError `CODEC_ID` if the id of the stop vertex is not 32 bytes long
 */
export function toJSON(upgrades: Partial<Upgrades>): Json.Json {
  return members(upgrades)
}

/** Returns the members of the JSON of `info.upgrades`. */
function members(upgrades: Partial<Upgrades>): Record<string, Json.Json> {
  const json: Record<string, Json.Json> = {}
  const add = (name: string, value: Json.Json | undefined) => {
    if (value !== undefined) json[name] = value
  }
  const { apricotPhase4MinPChainHeight, cortinaXChainStopVertexId, graniteEpochDuration } = upgrades
  for (const name of NAMES) {
    const time = upgrades[name]
    add(`${name}Time`, time === undefined ? undefined : formatTime(time))
    if (name === 'apricotPhase4') add('apricotPhase4MinPChainHeight', apricotPhase4MinPChainHeight)
    if (name === 'cortina' && cortinaXChainStopVertexId !== undefined)
      add('cortinaXChainStopVertexID', Id.format(cortinaXChainStopVertexId))
    if (name === 'granite') add('graniteEpochDuration', graniteEpochDuration)
  }
  return json
}

/**
 * Reads the upgrades from a result of `info.upgrades` or an upgrade file that was parsed by `Json.parse`.
 * Missing upgrades have the values of `base`, which is {@link DEFAULT} if omitted.
 * @example
 * ```ts
 * import { Json } from '@firn/codec'
 * import { Upgrades } from '@firn/genesis'
 *
 * const upgrades = Upgrades.fromJSON(Json.parse('{"heliconTime": "2027-01-15T08:00:00Z"}'))
 * upgrades.helicon // 1800000000n
 * ```
 * @throws GenesisError `GENESIS_UPGRADES`; CodecError if an id is malformed
 */
export function fromJSON(json: Json.Json, base: Upgrades = DEFAULT): Upgrades {
  return { ...base, ...readMembers(json) }
}

/**
 * Reads the members that a result of `info.upgrades` or an upgrade file contains, and no others.
 * @example
 * ```ts
 * import { Json } from '@firn/codec'
 * import { Upgrades } from '@firn/genesis'
 *
 * Upgrades.readMembers(Json.parse('{"heliconTime": "2027-01-15T08:00:00Z"}')) // { helicon: 1800000000n }
 * ```
 * @throws GenesisError `GENESIS_UPGRADES`; CodecError if an id is malformed
 */
export function readMembers(json: Json.Json): Partial<Upgrades> {
  if (!isJsonObject(json)) throw malformed('an object', json)
  const given = json as Readonly<Record<string, Json.Json>>
  const read: { -readonly [M in keyof Upgrades]?: Upgrades[M] } = {}
  for (const name of NAMES) {
    const time = given[`${name}Time`]
    if (time !== undefined) read[name] = parseTime(time)
  }
  const {
    apricotPhase4MinPChainHeight: height,
    cortinaXChainStopVertexID: stopVertex,
    graniteEpochDuration: duration,
  } = given
  if (height !== undefined) read.apricotPhase4MinPChainHeight = natural(height)
  if (typeof stopVertex === 'string') read.cortinaXChainStopVertexId = Id.parse(stopVertex)
  if (duration !== undefined) read.graniteEpochDuration = natural(duration)
  return read
}

/** A member of the JSON of `info.upgrades` that has different values in two schedules. */
export interface Difference {
  /** Name in the JSON, such as `heliconTime`. */
  readonly member: string
  /** The two values as JSON text. */
  readonly values: readonly [string, string]
}

/**
 * Returns the members that both schedules contain with different values.
 * @example
 * ```ts
 * import { Upgrades } from '@firn/genesis'
 *
 * Upgrades.differences(Upgrades.MAINNET, { helicon: 1_800_000_000n })[0]?.member // 'heliconTime'
 * ```
 * @throws CodecError `CODEC_ID` if the id of a stop vertex is not 32 bytes long
 */
export function differences(one: Partial<Upgrades>, other: Partial<Upgrades>): Difference[] {
  const [own, others] = [members(one), members(other)]
  return Object.entries(own).flatMap(([member, value]) => {
    const second = others[member]
    if (second === undefined) return []
    const values = [Json.stringify(value), Json.stringify(second)] as const
    return values[0] === values[1] ? [] : [{ member, values }]
  })
}

/**
 * Returns the schedule of a network whose node returned `answer` for `info.upgrades`. A node does not name upgrades
 * that were added after its release. They are not scheduled on its network, because it could not follow them. Other
 * missing members have the values of `base`.
 * @example
 * ```ts
 * import { Upgrades } from '@firn/genesis'
 *
 * const { graniteEpochDuration, granite, helicon, ...older } = Upgrades.DEFAULT
 * Upgrades.ofNode(older, Upgrades.DEFAULT).granite // Upgrades.UNSCHEDULED
 * ```
 */
export function ofNode(answer: Partial<Upgrades>, base: Upgrades): Upgrades {
  const known = NAMES.findLastIndex((name) => answer[name] !== undefined)
  const unknown = known < 0 ? [] : NAMES.slice(known + 1).map((name) => [name, UNSCHEDULED])
  return { ...base, ...(Object.fromEntries(unknown) as Partial<Upgrades>), ...answer }
}

function formatTime(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z')
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

function parseTime(json: Json.Json): bigint {
  const milliseconds = typeof json === 'string' && RFC3339.test(json) ? Date.parse(json) : Number.NaN
  if (Number.isNaN(milliseconds)) throw malformed('an RFC 3339 time such as 2020-12-05T05:00:00Z', json)
  return BigInt(Math.floor(milliseconds / 1000))
}

function natural(json: Json.Json): bigint {
  if (typeof json === 'bigint' && json >= 0n) return json
  if (typeof json === 'number' && Number.isSafeInteger(json) && json >= 0) return BigInt(json)
  throw malformed('a non-negative integer', json)
}

function malformed(expected: string, got: Json.Json): GenesisError {
  return new GenesisError('GENESIS_UPGRADES', `expected ${expected}, got ${excerpt(got)}`)
}
