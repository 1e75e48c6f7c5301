import { Networks } from '@firn/genesis'
import { expect, test } from 'vitest'
import * as TxFees from './TxFees.ts'

/**
 * Order of the fee columns: X-chain transaction, create asset, create subnet, transform subnet, create chain.
 */
test.each([
  ['mainnet', 1, 1_000_000n, 10_000_000n, 1_000_000_000n, 10_000_000_000n, 1_000_000_000n],
  ['fuji', 5, 1_000_000n, 10_000_000n, 100_000_000n, 1_000_000_000n, 100_000_000n],
  ['local', 12345, 1_000_000n, 1_000_000n, 100_000_000n, 100_000_000n, 100_000_000n],
  ['another', 1337, 1_000_000n, 1_000_000n, 100_000_000n, 100_000_000n, 100_000_000n],
])(
  'returns the transaction fees of the network %s',
  (_name, networkId, txFee, createAsset, createSubnet, transformSubnet, createBlockchain) => {
    expect(TxFees.of(Networks.of(networkId))).toEqual({
      txFee,
      createAssetTxFee: createAsset,
      createSubnetTxFee: createSubnet,
      transformSubnetTxFee: transformSubnet,
      createBlockchainTxFee: createBlockchain,
      addPrimaryNetworkValidatorFee: 0n,
      addPrimaryNetworkDelegatorFee: 0n,
      addSubnetValidatorFee: 1_000_000n,
      addSubnetDelegatorFee: 1_000_000n,
    })
  },
)
