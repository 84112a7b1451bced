/**
 * The package `ms` hides its types from `nodenext`, which turns every duration string of the Temporal SDK into `any`.
 * With this declaration `sleep('5 bogus')` is a type error again.
 */
declare module 'ms' {
  type Unit =
    | 'ms'
    | 'millisecond'
    | 'milliseconds'
    | 's'
    | 'second'
    | 'seconds'
    | 'm'
    | 'minute'
    | 'minutes'
    | 'h'
    | 'hour'
    | 'hours'
    | 'd'
    | 'day'
    | 'days'
    | 'w'
    | 'week'
    | 'weeks';
  export type StringValue = `${number}` | `${number}${Unit}` | `${number} ${Unit}`;
}
