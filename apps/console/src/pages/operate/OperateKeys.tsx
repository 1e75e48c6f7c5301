import type { CreateKeyParameters, OperatorKey } from '@firn/client/operate'
import { useState } from 'preact/hooks'
import { ErrorNote } from '../../components/ErrorNote.tsx'
import { Id } from '../../components/Id.tsx'
import { numberColumn, textColumn, timeColumn } from '../../components/operate/Columns.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Status } from '../../components/Status.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { clean } from '../../format/ChainText.ts'
import { useOperate, useOperateData } from '../../state/useOperate.ts'

type Scope = CreateKeyParameters['scopes'][number]

/** What each scope is for. */
const SCOPES: Readonly<Record<Scope, string>> = {
  data: 'Data API',
  metrics: 'Metrics API',
  aggregate: 'Signature aggregator',
  usage: 'Usage',
  webhooks: 'Webhooks',
  admin: 'Operators',
}
const CALLER_SCOPES: readonly Scope[] = ['data', 'metrics', 'aggregate', 'usage', 'webhooks']

/** API keys: list, creation, scopes and revocation. */
export function Page() {
  const operate = useOperate()
  const keys = useOperateData((client, signal) => client.listKeys({}, { signal }))
  const [edited, setEdited] = useState<{ readonly key: OperatorKey; readonly how: 'scopes' | 'revoke' }>()
  const [error, setError] = useState<unknown>()
  const change = (work: Promise<unknown>) => {
    setError(undefined)
    setEdited(undefined)
    work.then(keys.reload, setError)
  }
  const actions: Column<OperatorKey> = {
    title: 'Change',
    cell: (key) =>
      key.revokedAt === undefined && (
        <span class="row-actions">
          <button
            type="button"
            class="button button-small"
            aria-label={`Change the scopes of ${key.hint}`}
            onClick={() => setEdited({ key, how: 'scopes' })}
          >
            Scopes
          </button>
          <button
            type="button"
            class="button button-small"
            aria-label={`Revoke ${key.hint}`}
            onClick={() => setEdited({ key, how: 'revoke' })}
          >
            Revoke
          </button>
        </span>
      ),
    text: () => '',
  }
  return (
    <>
      <PageHead title="API keys">
        Keys give callers separate limits and restrict them to their scopes. Only hashes of keys are stored.
      </PageHead>
      {error !== undefined && <ErrorNote error={error} />}
      {keys.value !== undefined && <NewKey onCreated={keys.reload} />}
      {edited?.how === 'scopes' && (
        <ScopesForm
          key={edited.key.keyId}
          edited={edited.key}
          onCancel={() => setEdited(undefined)}
          onSave={(scopes) => change(operate.setKeyScopes({ keyId: edited.key.keyId, scopes }))}
        />
      )}
      {edited?.how === 'revoke' && (
        <RevokeForm
          key={edited.key.keyId}
          edited={edited.key}
          onCancel={() => setEdited(undefined)}
          onRevoke={() => change(operate.revokeKey({ keyId: edited.key.keyId }))}
        />
      )}
      <Panel title="Keys">
        <Table
          name="API keys"
          rows={keys.value?.keys ?? []}
          columns={[...COLUMNS.slice(0, 4), actions, ...COLUMNS.slice(4)]}
          rowKey={({ keyId }) => keyId}
          empty="There are no keys. All callers are limited by their addresses."
          isLoading={keys.value === undefined && keys.isLoading}
          error={keys.error}
          onMore={keys.reload}
        />
      </Panel>
    </>
  )
}

function NewKey({ onCreated }: { readonly onCreated: () => void }) {
  const operate = useOperate()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(CALLER_SCOPES)
  const [created, setCreated] = useState<string>()
  const [error, setError] = useState<unknown>()
  const submit = (event: Event) => {
    event.preventDefault()
    setError(undefined)
    setCreated(undefined)
    operate.createKey({ name: name.trim(), scopes }).then(({ key }) => {
      setCreated(key)
      setName('')
      onCreated()
    }, setError)
  }
  return (
    <Panel title="New key">
      <form class="form" onSubmit={submit}>
        <label class="field">
          Name of the holder
          <input
            value={name}
            required
            maxLength={100}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <ScopeFields scopes={scopes} onChange={setScopes} />
        <button type="submit" class="button button-main" disabled={scopes.length === 0}>
          Create
        </button>
      </form>
      {error !== undefined && <ErrorNote error={error} />}
      {created !== undefined && (
        <div class="note note-warn" role="alert">
          <p>
            <strong>Copy the key now. It is not stored and is shown only here.</strong>
          </p>
          <p>
            <Id id={created} isWhole />
          </p>
          <button type="button" class="button" onClick={() => setCreated(undefined)}>
            Done
          </button>
        </div>
      )}
    </Panel>
  )
}

function ScopesForm({
  edited,
  onSave,
  onCancel,
}: {
  readonly edited: OperatorKey
  readonly onSave: (scopes: readonly Scope[]) => void
  readonly onCancel: () => void
}) {
  const [scopes, setScopes] = useState<readonly Scope[]>(edited.scopes)
  const submit = (event: Event) => {
    event.preventDefault()
    onSave(scopes)
  }
  return (
    <Panel title={`Scopes of ${edited.hint}… (${clean(edited.name)})`}>
      <form class="form" onSubmit={submit}>
        <ScopeFields scopes={scopes} onChange={setScopes} />
        <button type="submit" class="button button-main" ref={focus} disabled={scopes.length === 0}>
          Save
        </button>
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
      </form>
    </Panel>
  )
}

function RevokeForm({
  edited,
  onRevoke,
  onCancel,
}: {
  readonly edited: OperatorKey
  readonly onRevoke: () => void
  readonly onCancel: () => void
}) {
  return (
    <Panel title={`Revoke ${edited.hint}… (${clean(edited.name)})`}>
      <p>Requests with this key are refused within seconds. A revoked key cannot be used again.</p>
      <p class="row-actions">
        <button type="button" class="button button-main" ref={focus} onClick={onRevoke}>
          Revoke the key
        </button>
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </Panel>
  )
}

/** Moves the focus to an element that has just appeared. */
function focus(element: HTMLElement | null): void {
  element?.focus()
}

function ScopeFields({
  scopes,
  onChange,
}: {
  readonly scopes: readonly Scope[]
  readonly onChange: (scopes: readonly Scope[]) => void
}) {
  const all = Object.entries(SCOPES) as readonly (readonly [Scope, string])[]
  return (
    <fieldset class="choices">
      <legend>Scopes</legend>
      {all.map(([scope, title]) => (
        <label key={scope}>
          <input
            type="checkbox"
            checked={scopes.includes(scope)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
            }
          />
          {title} <span class="muted">({scope})</span>
        </label>
      ))}
    </fieldset>
  )
}

const COLUMNS: readonly Column<OperatorKey>[] = [
  textColumn('Name', ({ name }) => name),
  textColumn('Key', ({ hint }) => `${hint}…`),
  {
    title: 'State',
    cell: ({ revokedAt }) => (
      <Status tone={revokedAt === undefined ? 'good' : 'quiet'}>
        {revokedAt === undefined ? 'valid' : 'revoked'}
      </Status>
    ),
    text: ({ revokedAt }) => (revokedAt === undefined ? 'valid' : 'revoked'),
    sort: ({ revokedAt }) => revokedAt ?? 0,
  },
  textColumn('Scopes', ({ scopes }) => scopes.join(', ')),
  numberColumn('Units per minute', ({ unitsPerMinute }) => unitsPerMinute),
  numberColumn('Units per day', ({ unitsPerDay }) => unitsPerDay),
  timeColumn('Created', ({ createdAt }) => createdAt),
  timeColumn('Revoked', ({ revokedAt }) => revokedAt),
]
