import { useState } from 'preact/hooks'
import { Id } from '../components/Id.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { Table } from '../components/Table.tsx'
import { change, setLabel, useSettings } from '../state/Settings.ts'

/** Theme, time zone, API key and labels. */
export function Page() {
  const { theme, times, labels } = useSettings()
  return (
    <>
      <PageHead title="Settings">These settings are stored in this browser only.</PageHead>
      <Panel title="Display">
        <p>
          <label class="field">
            Theme
            <select
              value={theme}
              onChange={({ currentTarget: { value } }) => change({ theme: value as typeof theme })}
            >
              <option value="system">As the system</option>
              <option value="light">Light</option>
              <option value="dark">Dark</option>
            </select>
          </label>
        </p>
        <p>
          <label class="field">
            Times
            <select
              value={times}
              onChange={({ currentTarget: { value } }) => change({ times: value as typeof times })}
            >
              <option value="local">Local time</option>
              <option value="utc">UTC</option>
            </select>
          </label>
        </p>
      </Panel>
      <Panel title="API key">
        <ApiKey />
      </Panel>
      <Panel title="Labels">
        <NewLabel />
        <Table
          name="Labels"
          rows={Object.entries(labels)}
          columns={[
            {
              title: 'Label',
              cell: ([, label]) => label,
              text: ([, label]) => label,
              sort: ([, label]) => label,
            },
            { title: 'Id', cell: ([id]) => <Id id={id} />, text: ([id]) => id },
            {
              title: 'Remove',
              cell: ([id, label]) => (
                <button
                  type="button"
                  class="button button-small"
                  aria-label={`Remove ${label}`}
                  onClick={() => setLabel(id, '')}
                >
                  Remove
                </button>
              ),
              text: () => '',
            },
          ]}
          rowKey={([id]) => id}
          empty="There are no labels. Give a name to an address, a node or any other id."
        />
      </Panel>
    </>
  )
}

/** Number of characters of a key that may be shown: they do not help to guess it. */
const HINT = 11

/** The API key: a field to enter it, or its first characters and a button to remove it. */
function ApiKey() {
  const { apiKey } = useSettings()
  const [text, setText] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    change({ apiKey: text.trim() })
    setText('')
  }
  if (apiKey !== '') {
    return (
      <p class="form">
        <span>
          Requests are sent with the key <code>{apiKey.slice(0, HINT)}…</code>
        </span>
        <button type="button" class="button button-small" onClick={() => change({ apiKey: '' })}>
          Remove the key
        </button>
      </p>
    )
  }
  return (
    <>
      <p class="muted">
        Without a key, the service limits requests by address. The operator creates keys with firn keys
        create.
      </p>
      <form class="form" onSubmit={submit}>
        <label class="field">
          API key
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={text}
            required
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button button-small">
          Save
        </button>
      </form>
    </>
  )
}

function NewLabel() {
  const [id, setId] = useState('')
  const [label, setText] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    if (id.trim() === '') return
    setLabel(id.trim(), label)
    setId('')
    setText('')
  }
  return (
    <form class="form" onSubmit={submit}>
      <label class="field">
        Id
        <input value={id} required onInput={(event) => setId(event.currentTarget.value)} />
      </label>
      <label class="field">
        Label
        <input value={label} required onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="button button-small">
        Save
      </button>
    </form>
  )
}
