import { DevnetError } from '../DevnetError.ts'
import {
  checkCount,
  checkPort,
  checkWeights,
  completeL1s,
  type DevnetOptions,
  type FullL1Options,
} from '../Options.ts'

/** The node indices of each group of nodes. */
export interface Plan {
  readonly primaries: number
  readonly total: number
  readonly l1s: readonly { readonly options: FullL1Options; readonly nodes: readonly number[] }[]
}

/**
 * Assigns node indices to the groups of nodes according to the options.
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function plan(options: DevnetOptions): Plan {
  if (options.platform !== undefined && options.l1s !== undefined)
    throw new DevnetError('DEVNET_OPTIONS', 'expected either an initial P-chain (platform) or l1s, got both')
  if (options.buildBlocks) checkBuilding(options)
  const primaries = checkCount('validators', options.validators ?? 5, 1)
  let next = primaries
  const l1s = completeL1s(options.l1s ?? [], primaries).map((l1) => {
    const first = l1.nodes === 'primary' ? 0 : next
    if (l1.nodes === 'own') next += l1.validators
    return { options: l1, nodes: Array.from({ length: l1.validators }, (_, position) => first + position) }
  })
  const total = next + checkCount('spares', options.spares ?? 0, 0)
  checkWeights('weights', options.weights?.slice(0, primaries) ?? [])
  // A port that is already bound needs no check.
  checkPort('rpcPort', typeof options.rpcPort === 'number' ? options.rpcPort : 0, 1)
  checkPort('stakingPort', options.stakingPort ?? 0, total)
  return { primaries, l1s, total }
}

function checkBuilding(options: DevnetOptions): void {
  const refused = (['platform', 'weights', 'keyless'] as const).find((name) => {
    const value = options[name]
    return value !== undefined && (typeof value === 'function' || value.length > 0)
  })
  if (refused === undefined) return
  throw new DevnetError('DEVNET_OPTIONS', `buildBlocks cannot be combined with ${refused}`)
}
