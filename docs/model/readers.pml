/*
 * Readers and a writer over a quorum (R19), as small as it can be and still go wrong: two
 * readers, one writer that may become a reader, 3 nodes, one name. One attempt for each of
 * them. What is nondeterministic, and what a tick is, is as in lock.pml, which has what is
 * left out here: fencing tokens, restarts, several writers.
 *
 * Each #ifdef breaks one rule; README.md tells what then happens, check.sh runs all of
 * them.
 */

#define CLIENTS  3
#define WRITER   2	/* clients 0 and 1 read */
#define NODES    3
#define QUORUM   2

#ifndef LEASE
#define LEASE    2	/* ticks */
#endif
#ifndef TICKS
#define TICKS    3	/* how long a run is */
#endif
#ifndef RENEWALS
#define RENEWALS 0	/* of each client that renews */
#endif
#ifndef RENEWING
#define RENEWING 7	/* which clients renew, one bit each */
#endif
#ifndef LEAVING
#define LEAVING  7	/* which clients may give up or release, one bit each */
#endif

#define CAPACITY (3 + RENEWALS)	/* of a connection: acquire, renew, turn, release */

mtype = { acquire, renew, turn, release };
mtype = { fresh, asking, reading, writing, turning, gone };

/* One connection per client and node, first in first out (R3). */
chan wire[9] = [CAPACITY] of { mtype };

/* Nodes: the writer's key, the key of the readers, and who they are, each until when. */
byte exclusive[NODES], shared[NODES];
byte reader[9];

/* Clients. */
mtype state[CLIENTS];
byte valid[CLIENTS];	/* ticks left, counted from before the first byte was sent (R1) */
byte granted[CLIENTS];	/* nodes that granted, one bit each */
byte renewed[CLIENTS];	/* nodes that acknowledged the renewal */
byte renewedValid[CLIENTS];	/* what the validity becomes if a quorum does */
byte renewals[CLIENTS];

byte now;

#define AT(c, n)   (3 * c + n)
#define BIT(n)     (1 << n)
#define HAS(set, n) ((set >> n) & 1)
#define SIZE(set)  (HAS(set, 0) + HAS(set, 1) + HAS(set, 2))
#define MAX(a, b)  ((a) > (b) -> (a) : (b))
#define WRITES(c)  ((state[c] == writing || state[c] == turning) && valid[c] > 0)
#define READS(c)   (state[c] == reading && valid[c] > 0)

#ifdef MARKER_NOT_EXTENDED	/* the key ends with the reader that created it */
#define UNTIL(n)   (shared[n] > 0 -> shared[n] : LEASE)
#else
#define UNTIL(n)   LEASE
#endif

#ifdef RENEWED_OVER_A_WRITER
#define MAY_PUT_BACK(n) 1
#else
#define MAY_PUT_BACK(n) (exclusive[n] == 0)
#endif

#define SEND_ALL(c, what) \
	wire[AT(c, 0)]!what; wire[AT(c, 1)]!what; wire[AT(c, 2)]!what

inline begin(c) {
	d_step {
		/* The readers are alike: the first is the first. */
		state[c] == fresh && (c != 1 || state[0] != fresh) ->
		state[c] = asking;
		valid[c] = LEASE;
		SEND_ALL(c, acquire)
	}
}

inline decide(c) {
	d_step {
		state[c] == asking && valid[c] > 0 && SIZE(granted[c]) >= QUORUM ->
		if
		:: c == WRITER -> state[c] = writing
		:: else -> state[c] = reading
		fi;
		granted[c] = 0
	}
}

/* A failed attempt, a lost lock, a release: the same to all nodes (R2, R7, R8). */
inline giveUp(c) {
	d_step {
		HAS(LEAVING, c) && state[c] != fresh && state[c] != gone ->
		state[c] = gone;
		valid[c] = 0; granted[c] = 0; renewed[c] = 0; renewedValid[c] = 0; renewals[c] = 0;
		SEND_ALL(c, release)
	}
}

inline beginRenewal(c) {
	d_step {
		(state[c] == reading || state[c] == writing) && valid[c] > 0 && HAS(RENEWING, c) && renewals[c] < RENEWALS ->
		renewals[c] = renewals[c] + 1;
		renewed[c] = 0;
		renewedValid[c] = LEASE;
		SEND_ALL(c, renew)
	}
}

inline endRenewal(c) {
	d_step {
		valid[c] > 0 && renewedValid[c] > 0 && SIZE(renewed[c]) >= QUORUM ->
		valid[c] = MAX(valid[c], renewedValid[c]);
		renewedValid[c] = 0; renewed[c] = 0;
		if
		:: state[c] == turning -> state[c] = reading
		:: else
		fi
	}
}

/* Downgrade: the handle stops being a writer first. */
inline downgrade(c) {
	d_step {
		state[c] == writing && valid[c] > 0 ->
#ifdef WRITES_UNTIL_CONFIRMED
		state[c] = turning;
#else
		state[c] = reading;
#endif
		renewals[c] = RENEWALS;
		renewed[c] = 0;
		renewedValid[c] = LEASE;
		SEND_ALL(c, turn)
	}
}

inline share(c, n) {
	shared[n] = MAX(shared[n], UNTIL(n));
	reader[AT(c, n)] = LEASE
}

inline acknowledge(c, n) {
	if
	:: renewedValid[c] > 0 -> renewed[c] = renewed[c] | BIT(n)
	:: else
	fi
}

/*
 * A node carries out one command; the answer arrives at once. One that is late or lost needs
 * no line of its own: no client has to decide as soon as it can, so that a node whose answer
 * counts for nothing is among the possibilities anyway.
 */
inline deliver(c, n) {
	d_step {
		nempty(wire[AT(c, n)]) ->
		wire[AT(c, n)]?what;
		if
		:: what == acquire && exclusive[n] == 0 && (c != WRITER || shared[n] == 0) ->
			if
			:: c == WRITER -> exclusive[n] = LEASE
			:: else -> share(c, n)
			fi;
			if
			:: state[c] == asking -> granted[c] = granted[c] | BIT(n)
			:: else
			fi
		:: what == renew && c == WRITER && state[c] != reading && shared[n] == 0 ->
			exclusive[n] = LEASE;
			acknowledge(c, n)
		:: what == renew && c != WRITER && MAY_PUT_BACK(n) ->
			exclusive[n] = 0;
			share(c, n);
			acknowledge(c, n)
		:: what == turn ->	/* there is no other writer */
			exclusive[n] = 0;
			share(c, n);
			acknowledge(c, n)
		:: what == release && c == WRITER && exclusive[n] > 0 ->
			exclusive[n] = 0
		:: what == release && reader[AT(c, n)] > 0 ->
			reader[AT(c, n)] = 0;
#ifdef FIRST_LEAVER_DELETES
			reader[AT(0, n)] = 0; reader[AT(1, n)] = 0; reader[AT(2, n)] = 0; shared[n] = 0
#else
			shared[n] = MAX(reader[AT(0, n)], MAX(reader[AT(1, n)], reader[AT(2, n)]))
#endif
		:: else	/* refused, or nothing to release */
		fi;
		what = 0
	}
}

inline down(time) {
	if
	:: time > 0 -> time = time - 1
	:: else
	fi
}

inline tickNode(n) {
	down(exclusive[n]); down(shared[n]);
	down(reader[AT(0, n)]); down(reader[AT(1, n)]); down(reader[AT(2, n)]);
	if
	:: shared[n] == 0 -> reader[AT(0, n)] = 0; reader[AT(1, n)] = 0; reader[AT(2, n)] = 0
	:: else
	fi
}

inline tick() {
	d_step {
		now < TICKS ->
		now = now + 1;
		tickNode(0); tickNode(1); tickNode(2);
		down(valid[0]); down(valid[1]); down(valid[2]);
		down(renewedValid[0]); down(renewedValid[1]); down(renewedValid[2])
	}
}

active proctype World() {
	mtype what;

	d_step { state[0] = fresh; state[1] = fresh; state[2] = fresh }

end:
	do
	:: begin(0)
	:: begin(1)
	:: begin(2)
	:: decide(0)
	:: decide(1)
	:: decide(2)
	:: giveUp(0)
	:: giveUp(1)
	:: giveUp(2)
	:: beginRenewal(0)
	:: beginRenewal(1)
	:: beginRenewal(2)
	:: endRenewal(0)
	:: endRenewal(1)
	:: endRenewal(2)
#ifdef DOWNGRADE
	:: downgrade(2)
#endif
	:: deliver(0, 0)
	:: deliver(0, 1)
	:: deliver(0, 2)
	:: deliver(1, 0)
	:: deliver(1, 1)
	:: deliver(1, 2)
	:: deliver(2, 0)
	:: deliver(2, 1)
	:: deliver(2, 2)
	:: tick()
	/* No writer beside a reader, looked at in every state. */
	:: d_step { WRITES(2) && (READS(0) || READS(1)) -> assert(false) }
	od
}
