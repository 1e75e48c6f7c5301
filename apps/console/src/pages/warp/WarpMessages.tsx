import type { WarpMessage } from '@firn/client/aggregator'
import { useState } from 'preact/hooks'
import { ConsoleError } from '../../ConsoleError.ts'
import { ErrorNote, isNotFound } from '../../components/ErrorNote.tsx'
import { Id } from '../../components/Id.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { count } from '../../format/Amounts.ts'
import { format } from '../../format/Times.ts'
import { link } from '../../Routes.ts'
import { useAggregator } from '../../state/Aggregator.ts'
import { useLoaded } from '../../state/useLoaded.ts'
import { parse } from '../../warp/Message.ts'

const PAGE_SIZE = '50'

/** A field for a Warp message or a transaction, and the messages of the message log. */
export function Page() {
  return (
    <>
      <PageHead title="Warp messages">
        Decode a message, see who must sign it, collect the signatures and verify the result.
      </PageHead>
      <Panel title="Open">
        <Open />
      </Panel>
      <Panel title="Recent messages">
        <Recent />
      </Panel>
    </>
  )
}

function Open() {
  const [text, setText] = useState('')
  const [error, setError] = useState<unknown>()
  const submit = (event: Event) => {
    event.preventDefault()
    try {
      location.hash = hrefOf(text)
    } catch (problem) {
      setError(problem)
    }
  }
  return (
    <form class="form form-tall" onSubmit={submit}>
      <label class="field-tall">
        Message in hexadecimal (unsigned, signed, or the data of its log), or hash of a transaction
        <textarea
          class="input code"
          rows={5}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {error !== undefined && <ErrorNote error={error} />}
      <button type="submit" class="button button-main">
        Show
      </button>
    </form>
  )
}

/** Returns the link to the page of a message or transaction. @throws ConsoleError `CONSOLE_INPUT` */
function hrefOf(text: string): string {
  const digits = text.replace(/\s/g, '').replace(/^0x/i, '').toLowerCase()
  if (digits === '') throw new ConsoleError('CONSOLE_INPUT', 'Paste a message or the hash of a transaction.')
  if (/^[0-9a-f]{64}$/.test(digits)) return link('warpTransaction', { txHash: `0x${digits}` })
  parse(digits)
  return link('warpMessage', { message: digits })
}

/** The message log; undefined if the aggregator has none. */
type Log = readonly WarpMessage[] | undefined

function Recent() {
  const { url, messageLog } = useAggregator()
  const loaded = useLoaded(
    async (signal): Promise<{ readonly log: Log }> => {
      try {
        const { messages } = await messageLog.listMessages({ pageSize: PAGE_SIZE }, { signal })
        return { log: messages }
      } catch (error) {
        if (isNotFound(error)) return { log: undefined }
        throw error
      }
    },
    [url],
  )
  return (
    <Loadable loaded={loaded} what="recent messages">
      {({ log }) =>
        log === undefined ? (
          <p class="empty">
            This aggregator keeps no messages. With the option --database-url, it stores them in PostgreSQL.
          </p>
        ) : (
          <Table
            name="Recent messages"
            rows={log}
            columns={COLUMNS}
            rowKey={({ messageId }) => messageId}
            empty="No message was signed yet."
          />
        )
      }
    </Loadable>
  )
}

const COLUMNS: readonly Column<WarpMessage>[] = [
  {
    title: 'Message',
    cell: ({ messageId, unsignedMessage }) => (
      <Id id={messageId} href={link('warpMessage', { message: unsignedMessage })} />
    ),
    text: ({ messageId }) => messageId,
  },
  {
    title: 'Source chain',
    cell: ({ sourceBlockchainId }) => <Id id={sourceBlockchainId} />,
    text: ({ sourceBlockchainId }) => sourceBlockchainId,
    sort: ({ sourceBlockchainId }) => sourceBlockchainId,
  },
  {
    title: 'Stored',
    cell: ({ storedAt }) => <Time at={secondsOf(storedAt)} />,
    text: ({ storedAt }) => format(secondsOf(storedAt), 'utc'),
    sort: ({ storedAt }) => storedAt,
  },
  {
    title: 'Signatures',
    cell: ({ signatureCount }) => count(signatureCount),
    text: ({ signatureCount }) => String(signatureCount),
    sort: ({ signatureCount }) => signatureCount,
    isNumber: true,
  },
  {
    title: 'Signed at height',
    cell: ({ signedMessages: [newest] }) => (newest === undefined ? '' : count(newest.pChainHeight)),
    text: ({ signedMessages: [newest] }) => newest?.pChainHeight ?? '',
    isNumber: true,
  },
]

function secondsOf(time: string): number {
  return Date.parse(time) / 1_000
}
