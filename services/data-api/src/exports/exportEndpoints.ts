import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { type Download, defineDownload } from '../http/endpoint/Download.ts'
import { type Body, define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import type { Exports, Operation } from './Exports.ts'
import { ExportBody, type ExportTask, parse } from './ExportTask.ts'
import { OPERATION_TYPES } from './Kinds.ts'
import type { Source } from './Table.ts'

const OperationStatus = Schema.object('OperationStatusResponse', 'State of an export', {
  operationId: Schema.text('Id of the operation', '9f86d081884c7d659a2feaa0c55ad015'),
  operationType: Schema.choice(OPERATION_TYPES, 'Kind of export'),
  operationStatus: Schema.choice(
    ['RUNNING', 'COMPLETED', 'COMPLETED_WITH_WARNING', 'FAILED'],
    'State',
    'COMPLETED',
  ),
  message: Schema.optional(Schema.text('Why it failed, or the warning', 'cancelled by the caller')),
  metadata: Schema.object('TransactionExportMetadata', 'Result of the export', {
    code: Schema.optional(
      Schema.choice(
        ['ErrInvalidRequest', 'ErrInternal', 'WarnTruncatedExport'],
        'Kind of failure or warning',
      ),
    ),
    downloadUrl: Schema.optional(
      Schema.text(
        'URL of the file. Whoever knows it may read the file',
        'https://api.example.org/v1/operations/9f86d081884c7d659a2feaa0c55ad015/file',
      ),
    ),
    nextDate: Schema.optional(
      Schema.text('First day that is left out, because there are too many rows', '2026-02-01'),
    ),
    rows: Schema.integer('Number of rows so far', 120_000),
    bytes: Schema.integer('Size of the file so far', 34_000_000),
  }),
  createdAtTimestamp: Field.seconds('Start of the operation'),
  updatedAtTimestamp: Field.seconds('End of the operation; its start while it runs'),
})

const operationId = Parameter.text('the id of an operation', (text) => text)
const PATH = '/v1/operations/{operationId}'

/** Dependencies of the endpoints of exports. */
export interface ExportContext {
  /** Runs exports; undefined if the service has no tables for them. */
  readonly exports: Exports | undefined
  readonly sourceOf: (task: ExportTask) => Promise<Source<unknown>>
}

/** Starts, describes and cancels exports. */
export function exportEndpoints({ exports, sourceOf }: ExportContext): readonly Endpoint[] {
  const common = { tag: 'Operations', scope: 'data', queryParameters: {}, response: OperationStatus } as const
  return [
    define({
      ...common,
      method: 'POST',
      path: '/v1/operations/transactions:export',
      operationId: 'postTransactionExportJob',
      summary: 'Start an export of transactions',
      units: 200,
      status: 201,
      pathParameters: {},
      requestBody: ExportBody,
      handle: async ({ body, caller }) => {
        const task = parse(body)
        // Invalid chains and addresses are rejected now, and not by the job.
        await sourceOf(task)
        const { owner, url } = await caller()
        return { body: operationBody(await required(exports).start(task, owner), url) }
      },
    }),
    define({
      ...common,
      method: 'GET',
      path: PATH,
      operationId: 'getOperationResult',
      summary: 'State and result of an export',
      units: 1,
      pathParameters: { operationId },
      handle: async ({ path, caller }) => {
        const { owner, url } = await caller()
        return { body: operationBody(await required(exports).get(path.operationId, owner), url) }
      },
    }),
    define({
      ...common,
      method: 'POST',
      path: `${PATH}:cancel`,
      operationId: 'cancelOperation',
      summary: 'End an export and remove its file',
      units: 1,
      pathParameters: { operationId },
      handle: async ({ path, caller }) => {
        const { owner, url } = await caller()
        return { body: operationBody(await required(exports).cancel(path.operationId, owner), url) }
      },
    }),
  ]
}

/** Each further unit of a download's cost pays for so many bytes. */
const BYTES_PER_UNIT = 1_048_576
/** Maximum number of files that a process sends at once. A part of each is in memory. */
const MOST_DOWNLOADS = 32

/** The file of a finished export. */
export function exportDownload({ exports }: ExportContext): Download {
  return defineDownload({
    path: `${PATH}/file`,
    operationId: 'getOperationFile',
    summary: 'The file of a finished export',
    tag: 'Operations',
    scope: 'data',
    units: 1,
    pathParameters: { operationId },
    queryParameters: {},
    mediaType: 'text/csv',
    places: MOST_DOWNLOADS,
    response: Schema.text('The file as CSV, JSON lines or Apache Parquet', 'chainId,blockNumber\n43114,1\n'),
    open: async ({ path }) => {
      const file = await required(exports).file(path.operationId)
      return { ...file, units: Math.floor(file.size / BYTES_PER_UNIT) }
    },
  })
}

function required(exports: Exports | undefined): Exports {
  if (exports !== undefined) return exports
  const message = 'this service has no tables for exports, because its database cannot be written'
  throw new DataApiError('DATA_UNAVAILABLE', message)
}

function operationBody(operation: Operation, url: string): Body {
  const { id, type, status, message, code, nextDate, rows, bytes, createdAt, updatedAt } = operation
  const isThere = status === 'COMPLETED' || status === 'COMPLETED_WITH_WARNING'
  return {
    operationId: id,
    operationType: type,
    operationStatus: status,
    message,
    metadata: {
      code,
      downloadUrl: isThere ? `${url}/v1/operations/${id}/file` : undefined,
      nextDate,
      rows,
      bytes,
    },
    createdAtTimestamp: Math.floor(createdAt / 1_000),
    updatedAtTimestamp: Math.floor(updatedAt / 1_000),
  }
}
