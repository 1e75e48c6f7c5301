import type { OperatorLimit, OperatorLimitedCaller, OperatorUsage } from '@firn/client/operate'
import { numberColumn, textColumn, timeColumn } from '../../components/operate/Columns.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { useOperateData } from '../../state/useOperate.ts'

/** Limits in force, callers that exceeded them, and requests by key and method. */
export function Page() {
  const limits = useOperateData((operate, signal) => operate.getLimits({}, { signal }))
  const usage = useOperateData((operate, signal) => operate.getUsage({}, { signal }).catch(withoutUsage))
  const isLoading = limits.value === undefined && limits.isLoading
  return (
    <>
      <PageHead title="Limits and usage">
        What callers may use, who exceeded it since the start of this process, and how much each key has used.
      </PageHead>
      <Panel title="Callers that exceeded a limit">
        <Table
          name="Callers that exceeded a limit"
          rows={limits.value?.limited ?? []}
          columns={CALLER_COLUMNS}
          rowKey={({ service, limit, caller }) => `${service} ${limit} ${caller}`}
          empty="No caller has exceeded a limit."
          isLoading={isLoading}
          error={limits.error}
          onMore={limits.reload}
        />
      </Panel>
      {usage.value !== undefined && (
        <Panel title="Usage">
          <Table
            name="Usage"
            rows={usage.value.usage}
            columns={USAGE_COLUMNS}
            rowKey={({ service, key, method }) => `${service} ${key} ${method}`}
            empty="No request has been counted yet."
          />
        </Panel>
      )}
      {limits.value !== undefined && (
        <Panel title="Limits in force">
          <Table
            name="Limits in force"
            rows={limits.value.limits}
            columns={LIMIT_COLUMNS}
            rowKey={({ service, callers, limit, unit }) => `${service} ${callers} ${limit} ${unit}`}
            empty="Callers are not limited."
          />
        </Panel>
      )}
    </>
  )
}

/** Services that count no requests have no usage. */
function withoutUsage(error: { readonly code?: string }) {
  if (error.code === 'CLIENT_NOT_FOUND') return undefined
  throw error
}

const CALLER_COLUMNS: readonly Column<OperatorLimitedCaller>[] = [
  textColumn('Caller', ({ caller }) => caller),
  textColumn('Service', ({ service }) => service),
  textColumn('Limit', ({ limit }) => limit),
  numberColumn('Refused requests', ({ refusals }) => refusals),
  timeColumn('First', ({ firstAt }) => firstAt),
  timeColumn('Last', ({ lastAt }) => lastAt),
]

const USAGE_COLUMNS: readonly Column<OperatorUsage>[] = [
  textColumn('Key', ({ key }) => (key === '' ? 'without a key' : key)),
  textColumn('Method', ({ method }) => method),
  textColumn('Service', ({ service }) => service),
  numberColumn('Requests', ({ requests }) => requests),
  numberColumn('Errors', ({ errors }) => errors),
  numberColumn('Units', ({ units }) => units),
]

const LIMIT_COLUMNS: readonly Column<OperatorLimit>[] = [
  textColumn('Service', ({ service }) => service),
  textColumn('Callers', ({ callers }) => callers),
  textColumn('Limit', ({ limit }) => limit),
  numberColumn('At most', ({ value }) => value),
  textColumn('Unit', ({ unit }) => unit),
]
