import type { ListWebhooksParameters, Webhook } from '@firn/client'
import { SelectField } from '../components/evm/SelectField.tsx'
import { Id } from '../components/Id.tsx'
import { textColumn, timeColumn } from '../components/operate/Columns.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { Status } from '../components/Status.tsx'
import { type Column, Table } from '../components/Table.tsx'
import type { PageProps } from '../PageModule.ts'
import { link } from '../Routes.ts'
import { useData, useSession } from '../state/Session.ts'
import { rowsOf, usePages } from '../state/usePages.ts'

type EventType = NonNullable<ListWebhooksParameters['eventType']>

/** The kinds of webhooks. Without one of them, the service lists all but those for undelivered messages. */
const KINDS: Readonly<Record<EventType | 'all', string>> = {
  all: 'All but undelivered messages',
  address_activity: 'Addresses of EVM chains',
  primary_network_address_activity: 'Addresses of the Primary Network',
  validator_activity: 'Validators',
  icm_undelivered: 'Undelivered messages',
}

const PAGE_SIZE = 100

/** The webhooks of the API key of the settings. */
export function Page({ query }: PageProps) {
  const { webhooks } = useData()
  const { apiKey } = useSession()
  const asked = query['kind'] ?? ''
  const kind = (asked in KINDS ? asked : 'all') as EventType | 'all'
  const list = usePages<Webhook>(
    (signal) => {
      const eventType = kind === 'all' ? undefined : kind
      return rowsOf(
        webhooks.listWebhooks.pages({ pageSize: PAGE_SIZE, eventType }, { signal }),
        (page) => page.webhooks,
      )
    },
    [apiKey, kind],
  )
  return (
    <>
      <PageHead title="Webhooks">
        Messages about addresses, validators and messages between chains, for the API key of the settings.
      </PageHead>
      <Panel title="Webhooks" isPlain>
        <Table
          name="Webhooks"
          rows={list.rows}
          columns={COLUMNS}
          rowKey={({ id }) => id}
          empty="The API key has no webhooks of this kind. Create one with POST /v1/webhooks."
          isLoading={list.isLoading}
          error={list.error}
          hasMore={list.hasMore}
          onMore={list.more}
          tools={
            <SelectField
              label="Kind"
              value={kind}
              options={KINDS}
              onChange={(next) => {
                location.hash = link('webhooks', {}, next === 'all' ? {} : { kind: next })
              }}
            />
          }
        />
      </Panel>
    </>
  )
}

const SIGNERS: Readonly<Record<Webhook['secretEncoding'], string>> = {
  text: 'secret as text',
  hex: 'bytes of the secret',
}

const COLUMNS: readonly Column<Webhook>[] = [
  {
    title: 'Webhook',
    cell: ({ id }) => <Id id={id} href={link('webhook', { webhookId: id })} />,
    text: ({ id }) => id,
  },
  textColumn('Name', ({ name }) => name),
  textColumn('Kind', ({ eventType }) => KINDS[eventType]),
  textColumn('Chain', ({ chainId }) => chainId),
  textColumn('URL', ({ url }) => url || 'read as a stream'),
  textColumn('Signed with', ({ secretEncoding }) => SIGNERS[secretEncoding]),
  {
    title: 'Status',
    cell: ({ status, inactiveReason }) => (
      <Status tone={status === 'active' ? 'good' : 'bad'}>{inactiveReason ?? status}</Status>
    ),
    text: ({ status }) => status,
    sort: ({ status }) => status,
  },
  timeColumn('Created', ({ createdAt }) => createdAt),
]
