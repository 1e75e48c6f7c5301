import { useState } from 'preact/hooks'
import { Id } from '../../components/Id.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import type { PageProps } from '../../PageModule.ts'
import { link } from '../../Routes.ts'
import * as Aggregator from '../../state/Aggregator.ts'
import { type Session, useSession } from '../../state/Session.ts'
import { useLoaded } from '../../state/useLoaded.ts'
import { fromLog, LOG, parse } from '../../warp/Message.ts'

/** A message that a transaction sent. */
interface Sent {
  readonly chain: string
  readonly logIndex: number
  /** Unsigned message in hex without 0x. */
  readonly message: string
}

/** The Warp messages that a transaction of an EVM chain sent. */
export function Page({ parameters: { txHash = '' }, query: { chain = '' } }: PageProps) {
  const session = useSession()
  const sent = useLoaded((signal) => load(session, txHash, chain, signal), [txHash, chain])
  return (
    <>
      <PageHead kind="Warp messages of a transaction" title={<Id id={txHash} isWhole />} />
      <Panel title="Messages">
        <Loadable loaded={sent} what="messages">
          {(list) => (
            <Table
              name="Messages of the transaction"
              rows={list}
              columns={COLUMNS}
              rowKey={({ logIndex }) => String(logIndex)}
              empty={
                chain === ''
                  ? 'No chain of this service has this transaction with a Warp message. Name its chain below.'
                  : 'The transaction sent no Warp message.'
              }
            />
          )}
        </Loadable>
      </Panel>
      {Aggregator.find(session) !== undefined && (
        <Panel title="Ask the node of a chain">
          <ChainForm txHash={txHash} given={chain} />
        </Panel>
      )}
    </>
  )
}

const COLUMNS: readonly Column<Sent>[] = [
  {
    title: 'Message',
    cell: ({ message }) => <Id id={parse(message).messageId ?? ''} href={link('warpMessage', { message })} />,
    text: ({ message }) => parse(message).messageId ?? '',
  },
  { title: 'Chain', cell: ({ chain }) => <Id id={chain} />, text: ({ chain }) => chain },
  {
    title: 'Log',
    cell: ({ logIndex }) => logIndex,
    text: ({ logIndex }) => String(logIndex),
    sort: ({ logIndex }) => logIndex,
    isNumber: true,
  },
  {
    title: 'Size',
    cell: ({ message }) => `${message.length / 2} bytes`,
    text: ({ message }) => String(message.length / 2),
    isNumber: true,
  },
]

function ChainForm({ txHash, given }: { readonly txHash: string; readonly given: string }) {
  const [chain, setChain] = useState(given)
  const submit = (event: Event) => {
    event.preventDefault()
    location.hash = link('warpTransaction', { txHash }, { chain: chain.trim() })
  }
  return (
    <form class="form" onSubmit={submit}>
      <label class="field">
        Blockchain id
        <input
          required
          value={chain}
          spellcheck={false}
          onInput={({ currentTarget }) => setChain(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button button-small">
        Find messages
      </button>
      <span class="muted">The aggregator asks the node that its option --chain-rpc names.</span>
    </form>
  )
}

/** Returns the messages of a transaction: by the node of the named chain, or else by the logs of all EVM chains. */
function load(
  session: Session,
  txHash: string,
  chain: string,
  signal: AbortSignal,
): Promise<readonly Sent[]> {
  const aggregator = Aggregator.find(session)
  return chain !== '' && aggregator !== undefined
    ? fromNode(aggregator, txHash, chain, signal)
    : fromLogs(session, txHash, signal)
}

async function fromNode(
  { network, signatureAggregator }: Aggregator.Aggregator,
  transactionHash: string,
  chain: string,
  signal: AbortSignal,
): Promise<readonly Sent[]> {
  const source = { network, sourceChain: chain, transactionHash }
  const answer = await signatureAggregator.aggregateSignatures(source, { signal })
  const results = 'results' in answer ? answer.results : []
  return results.flatMap(({ unsignedMessage: message, logIndex = 0 }) =>
    message === undefined ? [] : [{ chain, logIndex, message }],
  )
}

async function fromLogs({ data }: Session, txHash: string, signal: AbortSignal): Promise<readonly Sent[]> {
  if (data === undefined) return []
  const { evm } = data
  const { chains } = await evm.supportedChains({}, { signal })
  const found = await Promise.allSettled(
    chains.map(async ({ chainId }): Promise<readonly Sent[]> => {
      const { nativeTransaction } = await evm.getTransaction({ chainId, txHash }, { signal })
      const block = Number(nativeTransaction.blockNumber)
      const range = { startBlock: block, endBlock: block + 1, addresses: [LOG.address], topic0: [LOG.topic] }
      const sent: Sent[] = []
      for await (const log of evm.listLogs.items({ chainId, ...range }, { signal })) {
        if (log.txHash !== txHash) continue
        sent.push({ chain: chainId, logIndex: log.logIndex, message: fromLog(log.data) })
      }
      return sent
    }),
  )
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}
