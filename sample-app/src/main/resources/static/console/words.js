/** What one does under a lock with readers. */
export const roleOf = (claim) => claim.mode === 'shared' ? 'reads' : 'writes';

export const seconds = (millis) => millis < 9_950 ? `${(Math.max(0, millis) / 1000).toFixed(1)} s` : `${Math.round(millis / 1000)} s`;

/** A thread without the name of its instance, which stands beside it. */
export const short = (instance, thread) => thread.replace(`${instance}-`, '');
