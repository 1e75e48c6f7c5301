import * as Parameter from '../front/Parameter.ts'

/** The token of a page; an empty one is none. */
export const pageToken = Parameter.optional(
  Parameter.text('what nextPageToken of the page before was', (text) => text),
)
