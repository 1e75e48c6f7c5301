import type { PrimaryNetworkTransaction } from '@firn/client'
import type { ChainAlias } from '@firn/codec'
import { Amount } from '../components/Amount.tsx'
import { isNotFound } from '../components/ErrorNote.tsx'
import { type Fact, Facts } from '../components/Facts.tsx'
import { Flow, type FlowEntry } from '../components/Flow.tsx'
import { Id } from '../components/Id.tsx'
import { LabelField } from '../components/LabelField.tsx'
import { Loadable } from '../components/Loadable.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import {
  Addresses,
  Assets,
  BlockchainId,
  NodeIdLink,
  SubnetId,
  TxId,
  typeName,
} from '../components/Primary.tsx'
import { Time } from '../components/Time.tsx'
import { toBigInt } from '../format/Amounts.ts'
import { ALIASES, CHAINS } from '../format/Chains.ts'
import { memoText } from '../format/Memos.ts'
import type { PageProps } from '../PageModule.ts'
import { link } from '../Routes.ts'
import { usePrimary } from '../state/Session.ts'
import { useLoaded } from '../state/useLoaded.ts'

type Transaction = PrimaryNetworkTransaction

/** A transaction of the Primary Network: facts, and inputs and outputs as a picture. */
export function Page({ parameters: { txId = '' } }: PageProps) {
  const { primary, network } = usePrimary()
  const loaded = useLoaded(
    async (signal) => {
      // An id does not tell its chain, so all chains are asked at once.
      const ask = ALIASES.map(async (chain) => {
        const parameters = { network, blockchainId: CHAINS[chain], txHash: txId }
        return { chain, tx: await primary.getTxByHash(parameters, { signal }) }
      })
      return Promise.any(ask).catch(({ errors }: AggregateError) => {
        throw errors.find((error: unknown) => !isNotFound(error)) ?? errors[0]
      })
    },
    [network, txId],
  )
  const { value } = loaded
  return (
    <>
      <PageHead
        kind={
          value === undefined ? 'Transaction' : `${typeName(value.tx.txType)} on the ${value.chain}-chain`
        }
        title={<Id id={txId} isWhole />}
        actions={<LabelField id={txId} />}
      />
      <Loadable loaded={loaded} what="the transaction">
        {({ chain, tx }) => (
          <>
            <Panel title="About">
              <Facts facts={factsOf(tx, chain)} />
            </Panel>
            <Panel title="Inputs and outputs">
              <Flow inputs={inputsOf(tx)} outputs={outputsOf(tx)} />
            </Panel>
            <L1Changes tx={tx} />
          </>
        )}
      </Loadable>
    </>
  )
}

function factsOf(tx: Transaction, chain: ChainAlias): readonly Fact[] {
  const height = tx.blockNumber
  const memo = memoText(tx.memo)
  return [
    ['Type', tx.txType],
    ['Block', <a href={link('block', { chain, blockId: height })}>{height}</a>],
    ['Time', <Time at={tx.blockTimestamp} withDistance />],
    ['Burned', <Assets assets={tx.amountBurned} />],
    ...('nodeId' in tx ? stakingFacts(tx) : []),
    ['Memo', memo && <bdi>{memo}</bdi>],
    ...platformFacts(tx),
  ]
}

function stakingFacts(tx: Extract<Transaction, { readonly nodeId?: string | undefined }>): readonly Fact[] {
  const { nodeId, startTimestamp, endTimestamp, estimatedReward, rewardAddresses } = tx
  return [
    ['Node', nodeId && <NodeIdLink id={nodeId} />],
    ['Staked', tx.amountStaked.length > 0 && <Assets assets={tx.amountStaked} />],
    ['Start', startTimestamp !== undefined && <Time at={startTimestamp} />],
    ['End', endTimestamp !== undefined && <Time at={endTimestamp} />],
    ['Expected reward', estimatedReward && <Amount value={estimatedReward} />],
    ['Reward addresses', rewardAddresses && <Addresses addresses={rewardAddresses} />],
    ['Commission', tx.delegationFeePercent && `${tx.delegationFeePercent} %`],
  ]
}

function platformFacts(tx: Transaction): readonly Fact[] {
  const { subnetId, blockchainInfo, stakingTxHash, rewardTxHash, sourceChain, destinationChain } =
    tx as Partial<Extract<Transaction, { readonly subnetId?: string | undefined }>>
  return [
    ['Subnet', subnetId && <SubnetId id={subnetId} />],
    ['Blockchain', blockchainInfo?.chainName],
    ['Staking transaction', stakingTxHash && <TxId id={stakingTxHash} />],
    ['Reward transaction', rewardTxHash && <TxId id={rewardTxHash} />],
    ['From chain', sourceChain !== destinationChain && sourceChain && <BlockchainId id={sourceChain} />],
    [
      'To chain',
      sourceChain !== destinationChain && destinationChain && <BlockchainId id={destinationChain} />,
    ],
  ]
}

function inputsOf(tx: Transaction): readonly FlowEntry[] {
  const accounts = 'evmInputs' in tx ? tx.evmInputs : []
  return [
    ...tx.consumedUtxos.map((utxo) =>
      entryOf(utxo, utxo.txHash === tx.txHash ? undefined : utxo.txHash, 'from'),
    ),
    ...accounts.map(({ fromAddress, asset }, index) => accountEntry(`in ${index}`, fromAddress, asset)),
  ]
}

function outputsOf(tx: Transaction): readonly FlowEntry[] {
  const accounts = 'evmOutputs' in tx ? tx.evmOutputs : []
  return [
    ...tx.emittedUtxos.map((utxo) => entryOf(utxo, utxo.consumingTxHash, 'spent by')),
    ...accounts.map(({ toAddress, asset }, index) => accountEntry(`out ${index}`, toAddress, asset)),
  ]
}

type AnyUtxo = Transaction['consumedUtxos'][number]

function entryOf(utxo: AnyUtxo, other: string | undefined, relation: string): FlowEntry {
  const [first, ...others] = utxo.addresses
  const { asset } = utxo
  return {
    key: utxo.utxoId,
    amount: toBigInt(asset.amount),
    content: (
      <div>
        <Amount value={asset.amount} decimals={asset.denomination} symbol={asset.symbol} />
        {'staked' in utxo && utxo.staked === true && <span class="muted"> staked</span>}
        {other !== undefined && (
          <>
            {' '}
            <a class="muted" href={link('transaction', { txId: other })}>
              {relation}
            </a>
          </>
        )}
        <br />
        {first !== undefined && <Id id={first} href={link('address', { address: first })} />}
        {others.length > 0 && <span class="muted"> +{others.length}</span>}
      </div>
    ),
  }
}

function accountEntry(key: string, address: string, asset: AnyUtxo['asset']): FlowEntry {
  return {
    key,
    amount: toBigInt(asset.amount),
    content: (
      <div>
        <Amount value={asset.amount} decimals={asset.denomination} symbol={asset.symbol} />
        <br />
        <Id id={address} />
      </div>
    ),
  }
}

function L1Changes({ tx }: { readonly tx: Transaction }) {
  const { l1ValidatorDetails = [] } = tx as Partial<
    Extract<Transaction, { readonly l1ValidatorDetails?: unknown }>
  >
  if (l1ValidatorDetails.length === 0) return null
  return (
    <Panel title="L1 validators">
      {l1ValidatorDetails.map(({ validationId, nodeId, subnetId, weight, balanceChange }) => (
        <Facts
          key={validationId}
          facts={[
            ['Validation', <Id id={validationId} isWhole />],
            ['Node', <NodeIdLink id={nodeId} />],
            ['L1', <SubnetId id={subnetId} />],
            ['Weight', String(weight)],
            ['Change of the balance', balanceChange !== undefined && <Amount value={balanceChange} />],
          ]}
        />
      ))}
    </Panel>
  )
}
