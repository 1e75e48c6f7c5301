import type { MethodLayouts } from '../Layout.ts'
import { PlatformChainMethods } from './PlatformChainMethods.ts'
import { PlatformFeeMethods } from './PlatformFeeMethods.ts'
import { PlatformStakingMethods } from './PlatformStakingMethods.ts'
import { PlatformUtxoMethods } from './UtxoMethods.ts'

/** Methods of the P-chain API of a node, which is served at `/ext/bc/P` and `/ext/P`. */
export const PlatformMethods: typeof PlatformChainMethods &
  typeof PlatformStakingMethods &
  typeof PlatformFeeMethods &
  typeof PlatformUtxoMethods = {
  ...PlatformChainMethods,
  ...PlatformStakingMethods,
  ...PlatformFeeMethods,
  ...PlatformUtxoMethods,
} satisfies MethodLayouts
