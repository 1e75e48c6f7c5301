import type { WebhookDelivery } from '@firn/client'
import { Id } from '../components/Id.tsx'
import { numberColumn, textColumn, timeColumn } from '../components/operate/Columns.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { Status, type Tone } from '../components/Status.tsx'
import { type Column, Table } from '../components/Table.tsx'
import type { PageProps } from '../PageModule.ts'
import { useData, useSession } from '../state/Session.ts'
import { useLoaded } from '../state/useLoaded.ts'

/** Number of messages; `firn webhooks tail` and the API have older ones. */
const PAGE_SIZE = 100
/** How often they are requested again, in milliseconds. */
const REFRESH_MS = 5_000

/** The messages of a webhook, and what became of them. */
export function Page({ parameters }: PageProps) {
  const id = parameters['webhookId'] ?? ''
  const { webhooks } = useData()
  const { apiKey } = useSession()
  const newest = useLoaded(
    async (signal) => {
      const parameters = { id, pageSize: PAGE_SIZE }
      return (await webhooks.listWebhookDeliveries(parameters, { signal })).deliveries
    },
    [apiKey, id],
    REFRESH_MS,
  )
  return (
    <>
      <PageHead title={<Id id={id} isWhole />} kind="Webhook">
        The newest messages that wait, were sent or were given up, the latest first.
      </PageHead>
      <Panel title="Messages" isPlain>
        <Table
          name="Messages of a webhook"
          rows={newest.value ?? []}
          columns={COLUMNS}
          rowKey={({ messageId }) => messageId}
          empty="No message of this webhook waits or is kept."
          isLoading={newest.value === undefined && newest.isLoading}
          error={newest.error}
          onMore={newest.reload}
        />
      </Panel>
    </>
  )
}

const TONES: Readonly<Record<WebhookDelivery['state'], Tone>> = {
  queued: 'warn',
  delivered: 'good',
  dead: 'bad',
}

const inSeconds = (milliseconds: number | undefined) =>
  milliseconds === undefined ? undefined : Math.floor(milliseconds / 1_000)

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { title: 'Message', cell: ({ messageId }) => <Id id={messageId} />, text: ({ messageId }) => messageId },
  {
    title: 'State',
    cell: ({ state }) => <Status tone={TONES[state]}>{state}</Status>,
    text: ({ state }) => state,
    sort: ({ state }) => state,
  },
  numberColumn('Block', ({ blockNumber }) => blockNumber),
  textColumn('Removed', ({ removed }) => (removed ? 'by a reorg' : undefined)),
  numberColumn('Attempts', ({ attempts }) => attempts),
  textColumn(
    'Result',
    ({ status, failure }) => failure ?? (status === undefined ? undefined : `HTTP ${status}`),
  ),
  timeColumn('Queued', ({ queuedAt }) => inSeconds(queuedAt)),
  timeColumn('Last attempt', ({ attemptedAt }) => inSeconds(attemptedAt)),
]
