import * as Field from '../http/endpoint/Field.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'

/** Parameter for the page token. An empty value is ignored. */
export const pageToken = Parameter.optional(
  Parameter.text('nextPageToken of the previous page', (text) => text),
)

/** Schema of the token of the next page. */
export const nextPageToken = Schema.optional(
  Schema.text('Token of the next page; absent on the last page', '4b5f5e3c-9e5c-4d3a-8f6c-2f1d5b7a9c10'),
)

/** Schema of a metric at one time. */
export const MetricsValue = Schema.object('MetricsValue', 'Value of a metric for one interval', {
  timestamp: Field.seconds('Start of the interval'),
  value: Schema.number('Value of the metric', 120),
})

/** Schema of a page of a metric. */
export const MetricsApiResponse = Schema.object('MetricsApiResponse', 'A page of a metric', {
  nextPageToken,
  completeFromTimestamp: Schema.optional(
    Field.seconds(
      'Start of the first hour that is kept, of points per hour; absent if all are kept',
      1_735_689_600,
    ),
  ),
  results: Schema.list(MetricsValue, 'Intervals of the page, newest first'),
})
