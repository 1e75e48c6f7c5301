import type { Suite } from './Suite.ts'
import { avmBlocks } from './suites/AvmBlocks.ts'
import { avmTxs, avmTxsInvalid } from './suites/AvmTxs.ts'
import { bech32 } from './suites/Bech32.ts'
import { bls } from './suites/Bls.ts'
import { cb58 } from './suites/Cb58.ts'
import { cchainAtomicTxs } from './suites/CchainAtomicTxs.ts'
import { codecPrimitive } from './suites/CodecPrimitive.ts'
import { fees } from './suites/Fees.ts'
import { genesis } from './suites/Genesis.ts'
import { hexChecksum } from './suites/HexChecksum.ts'
import { ids } from './suites/Ids.ts'
import { keys } from './suites/Keys.ts'
import { p2p } from './suites/P2p.ts'
import { platformBlocks } from './suites/PlatformBlocks.ts'
import { platformTxs, platformTxsInvalid } from './suites/PlatformTxs.ts'
import { proposervmBlocks } from './suites/ProposervmBlocks.ts'
import { staking } from './suites/Staking.ts'
import { subnetEvmGenesis } from './suites/SubnetEvmGenesis.ts'
import { utxos } from './suites/Utxos.ts'
import { warp } from './suites/Warp.ts'

/** All suites, in the order of the packages that they check. */
export const SUITES: readonly Suite[] = [
  cb58,
  hexChecksum,
  ids,
  bech32,
  codecPrimitive,
  keys,
  staking,
  bls,
  warp,
  p2p,
  platformTxs,
  platformTxsInvalid,
  platformBlocks,
  proposervmBlocks,
  avmTxs,
  avmTxsInvalid,
  avmBlocks,
  cchainAtomicTxs,
  utxos,
  fees,
  genesis,
  subnetEvmGenesis,
]

/**
 * Vector files of features that are not implemented. They are listed but not run. Any other file without a
 * suite fails.
 */
export const notYetSupported: readonly string[] = []
