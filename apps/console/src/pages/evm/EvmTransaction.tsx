import type { ChainInfo, GetTransactionResponse } from '@firn/client'
import { Amount } from '../../components/Amount.tsx'
import { Calls } from '../../components/evm/Calls.tsx'
import { Decoding } from '../../components/evm/Decoding.tsx'
import { AddressLink, BlockLink, PartyLink } from '../../components/evm/Links.tsx'
import { Logs } from '../../components/evm/Logs.tsx'
import { chainTitle, OnChain } from '../../components/evm/OnChain.tsx'
import { TransactionStatus } from '../../components/evm/TransactionTable.tsx'
import { TransferTable, toTransfer } from '../../components/evm/Transfers.tsx'
import { type Fact, Facts } from '../../components/Facts.tsx'
import { Id } from '../../components/Id.tsx'
import { LabelField } from '../../components/LabelField.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { Empty } from '../../components/Loading.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Raw } from '../../components/Raw.tsx'
import { Time } from '../../components/Time.tsx'
import { count } from '../../format/Amounts.ts'
import { clean } from '../../format/ChainText.ts'
import { feeOf, GWEI_DECIMALS } from '../../format/Transactions.ts'
import type { PageProps } from '../../PageModule.ts'
import { link } from '../../Routes.ts'
import { useData } from '../../state/Session.ts'
import { useLoaded } from '../../state/useLoaded.ts'

type Transaction = GetTransactionResponse['nativeTransaction']

/** A transaction of an EVM chain: what it paid, moved, called and logged. */
export function Page({ parameters: { chainId = '', txHash = '' } }: PageProps) {
  return <OnChain chainId={chainId}>{(chain) => <Content chain={chain} txHash={txHash} />}</OnChain>
}

function Content({ chain, txHash }: { readonly chain: ChainInfo; readonly txHash: string }) {
  const { evm } = useData()
  const { chainId } = chain
  const loaded = useLoaded(
    (signal) => evm.getTransaction({ chainId, txHash, decode: true }, { signal }),
    [chainId, txHash],
  )
  return (
    <>
      <PageHead
        kind={`Transaction of ${chainTitle(chain)}`}
        title={<Id id={txHash} isWhole />}
        actions={<LabelField id={txHash} />}
      />
      <Loadable loaded={loaded} what="the transaction">
        {(found) => (
          <>
            <Panel title="About">
              <Facts facts={factsOf(found.nativeTransaction, chain)} />
            </Panel>
            <Panel title="Token transfers">
              <Transfers found={found} />
            </Panel>
            <Panel title="Internal calls">
              {found.internalTransactions === undefined ? (
                <Empty>The internal calls of this block are not stored.</Empty>
              ) : (
                <Calls chain={chain} calls={found.internalTransactions} />
              )}
            </Panel>
            <Logs found={found} />
            <Input tx={found.nativeTransaction} />
          </>
        )}
      </Loadable>
    </>
  )
}

function factsOf(tx: Transaction, chain: ChainInfo): readonly Fact[] {
  const { chainId, networkToken } = chain
  const { decimals, symbol } = networkToken
  const gwei = (value: string | undefined) =>
    value !== undefined && <Amount value={value} decimals={GWEI_DECIMALS} symbol="gwei" />
  return [
    ['Status', <TransactionStatus status={tx.txStatus} />],
    [
      'Chain',
      <a href={link('evmChain', { chainId })}>
        <bdi>{chainTitle(chain)}</bdi>
      </a>,
    ],
    ['Block', <BlockLink chainId={chainId} height={tx.blockNumber} />],
    ['Index in the block', String(tx.blockIndex)],
    ['Time', <Time at={tx.blockTimestamp} withDistance />],
    ['Finality', tx.finality],
    ['From', <AddressLink chainId={chainId} of={tx.from} isWhole />],
    ['To', <PartyLink chainId={chainId} of={tx.to} zero="New contract" isWhole />],
    ['Value', <Amount value={tx.value} decimals={decimals} symbol={symbol} />],
    ['Fee', <Amount value={feeOf(tx)} decimals={decimals} symbol={symbol} />],
    ['Gas used', `${count(tx.gasUsed)} of ${count(tx.gasLimit)}`],
    ['Gas price', gwei(tx.gasPrice)],
    ['Base fee', gwei(tx.baseFeePerGas)],
    ['Fee cap', gwei(tx.maxFeePerGas)],
    ['Priority fee cap', gwei(tx.maxPriorityFeePerGas)],
    ['Nonce', count(tx.nonce)],
    ['Type', String(tx.txType)],
  ]
}

function Transfers({ found }: { readonly found: GetTransactionResponse }) {
  const { erc20Transfers, erc721Transfers, erc1155Transfers, nativeTransaction } = found
  const { chainId, txHash } = nativeTransaction
  const stored = [erc20Transfers, erc721Transfers, erc1155Transfers]
  if (stored.every((one) => one === undefined)) {
    return <Empty>The token transfers of this block are not stored.</Empty>
  }
  const rows = stored
    .flatMap((transfers) => (transfers ?? []).map(toTransfer))
    .sort((one, other) => one.logIndex - other.logIndex)
  return (
    <TransferTable
      name={`Token transfers of ${txHash}`}
      chainId={chainId}
      hasPlaces={false}
      list={{ rows, error: undefined, isLoading: false, hasMore: false }}
    />
  )
}

function Input({ tx: { chainId, input, method, decoded } }: { readonly tx: Transaction }) {
  if (input === '0x') return null
  const signature = decoded?.signature
  return (
    <Panel title="Input">
      {method?.callType === 'CONTRACT_CALL' && (
        <Facts
          facts={[
            ['Function', signature !== undefined && <bdi class="code">{clean(signature, 200)}</bdi>],
            ['Selector', <span class="code">{method.methodHash}</span>],
            ['Size', `${count((input.length - 2) / 2)} bytes`],
          ]}
        />
      )}
      {decoded !== undefined && <Decoding chainId={chainId} decoded={decoded} />}
      <Raw name="Input in hexadecimal" text={input} />
    </Panel>
  )
}
