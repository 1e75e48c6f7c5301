import type { Networks } from '@firn/genesis'
import type { InfoMethods, Result } from '@firn/rpc'

type TxFees = Result<typeof InfoMethods, 'info.getTxFee'>

type PlatformFees = Pick<TxFees, 'createSubnetTxFee' | 'transformSubnetTxFee' | 'createBlockchainTxFee'>

const AVAX = 1_000_000_000n

/** P-chain transaction fees before Etna, which nodes still report. */
const PLATFORM: Readonly<Record<number, PlatformFees>> = {
  1: { createSubnetTxFee: AVAX, transformSubnetTxFee: 10n * AVAX, createBlockchainTxFee: AVAX },
  5: { createSubnetTxFee: AVAX / 10n, transformSubnetTxFee: AVAX, createBlockchainTxFee: AVAX / 10n },
}

const OTHER: PlatformFees = {
  createSubnetTxFee: AVAX / 10n,
  transformSubnetTxFee: AVAX / 10n,
  createBlockchainTxFee: AVAX / 10n,
}

/** Returns the fees of a network in nAVAX, as in `info.getTxFee`. */
export function of({ networkId, txFee, createAssetTxFee }: Networks.Constants): TxFees {
  return {
    txFee,
    createAssetTxFee,
    ...(PLATFORM[networkId] ?? OTHER),
    addPrimaryNetworkValidatorFee: 0n,
    addPrimaryNetworkDelegatorFee: 0n,
    addSubnetValidatorFee: AVAX / 1000n,
    addSubnetDelegatorFee: AVAX / 1000n,
  }
}
