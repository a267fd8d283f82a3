/*
 * The lock over a quorum, as small as it can be and still go wrong: 2 clients, 3 nodes,
 * one name. What is nondeterministic here (every line of the loop in World) is what the
 * network, the servers, the scheduler and the clocks may do in reality. Time goes in
 * ticks; everything between two ticks takes no time, or any time less than a tick.
 *
 * The rules (R1, R2, ...) are those of docs/safety.md. Each #ifdef breaks one of them;
 * README.md tells what then happens, check.sh runs all of them.
 */

#define NODES    3
#define QUORUM   2

#ifndef ATTEMPTS
#define ATTEMPTS 2        /* per client */
#endif
#ifndef CRASHES
#define CRASHES  2        /* restarts, empty, over all nodes */
#endif
#ifndef CRASHING
#define CRASHING 7        /* which nodes may crash, one bit each */
#endif
#ifndef TICKS
#define TICKS    5        /* how long a run is */
#endif
#ifndef LEASE
#define LEASE    2        /* ticks */
#endif
#ifndef MARGIN
#define MARGIN   0        /* ticks that a client takes off for drift (R1) */
#endif
#ifndef SLIPS
#define SLIPS    0        /* ticks that a client's slow clock may miss in one lease */
#endif
#ifndef QUARANTINE
#define QUARANTINE LEASE  /* ticks that a restarted node does not count (R10) */
#endif
#ifndef SKEW
#define SKEW     1        /* ticks by which client 1's wall clock is ahead of client 0's */
#endif
#ifndef RENEWALS
#define RENEWALS 0        /* per grant */
#endif

/* A tick is long enough for so many tokens. */
#ifndef TOKENS_PER_TICK
#define TOKENS_PER_TICK 4
#endif

/*
 * The fence of node 2 at the beginning: an earlier attempt, which failed, reached only
 * that node. It saves the states of that attempt.
 */
#ifndef AHEAD
#define AHEAD    5
#endif

#define CAPACITY (3 + RENEWALS)	/* of a connection: acquire, raise, renew, release */

mtype = { acquire, raise, renew, release };
mtype = { idle, acquiring, raising, held };

/* One connection per client and node, first in first out (R3). */
chan wire[6] = [CAPACITY] of { mtype, byte /* attempt */, bit /* counted */, byte /* value */ };

/* Nodes. An attempt is 1 + 2 * number + client, so that it is never 0. */
byte owner[NODES], ttl[NODES], fence[NODES], quarantine[NODES];

/* Clients. */
mtype state[2];
byte attempt[2];          /* number of the attempt */
byte valid[2];            /* ticks left, counted from before the first byte was sent (R1) */
byte granted[2];          /* nodes whose vote is used, one bit each */
byte token[2];            /* T, the greatest vote used (R9) */
byte storing[2];          /* nodes known to store T */
byte renewed[2];          /* nodes that acknowledged the renewal */
byte renewedValid[2];     /* what the validity becomes if a quorum does */
byte renewals[2];
byte slips[2];

byte now, crashes;
byte lastToken;           /* of the last grant, whoever got it */

#define ID(c)      (1 + 2 * attempt[c] + c)
#define WIRE(c, n) wire[3 * c + n]
#define BIT(n)     (1 << n)
#define HAS(set, n) ((set >> n) & 1)
#define SIZE(set)  (HAS(set, 0) + HAS(set, 1) + HAS(set, 2))
#define MAX(a, b)  ((a) > (b) -> (a) : (b))
#define HOLDS(c)   (state[c] == held && valid[c] > 0)

#ifdef NO_FENCING	/* to look at mutual exclusion alone, with fewer states */
#define PROPOSED(c) 0
#define NEXT(f)     0
#define INCREASES(c) true
#else
#define PROPOSED(c) (1 + TOKENS_PER_TICK * (now + c * SKEW))
#define NEXT(f)     (f + 1)
#define INCREASES(c) (token[c] > lastToken)
#endif

/* R10: judged when the request is sent. */
#ifdef COUNTED_AT_REPLY
#define COUNTED(n)  1
#define USABLE(set) (set & ((quarantine[0] == 0) | ((quarantine[1] == 0) << 1) | ((quarantine[2] == 0) << 2)))
#else
#define COUNTED(n)  (quarantine[n] == 0)
#define USABLE(set) (set)
#endif

#ifdef QUARANTINED_COUNTS_FOR_FENCE
#define COUNTED_FOR_FENCE(n) 1
#else
#define COUNTED_FOR_FENCE(n) COUNTED(n)
#endif

#ifdef QUARANTINED_COUNTS_FOR_RENEWAL
#define COUNTED_FOR_RENEWAL(n) 1
#else
#define COUNTED_FOR_RENEWAL(n) COUNTED(n)
#endif

#ifdef QUORUM_OF_REACHABLE
/* "reachable": not restarted a moment ago */
#define ENOUGH(set) (SIZE(USABLE(set)) > ((quarantine[0] == 0) + (quarantine[1] == 0) + (quarantine[2] == 0)) / 2)
#else
#define ENOUGH(set) (SIZE(USABLE(set)) >= QUORUM)
#endif

/* R9: enough nodes are known to store T. */
#if defined(NO_SECOND_ROUND) || defined(NO_FENCING)
#define STORED(c) 1
#else
#ifdef MAJORITY_OF_GRANTED
#define STORED(c) (SIZE(storing[c]) > SIZE(granted[c]) / 2)
#else
#define STORED(c) (SIZE(USABLE(storing[c])) >= QUORUM)
#endif
#endif

#ifdef RAISE_ANYWHERE
#define MAY_RAISE(n, id) 1
#else
#define MAY_RAISE(n, id) (owner[n] == id)
#endif

#define SEND(c, n, what, counts, value) \
	if \
	:: nfull(WIRE(c, n)) -> WIRE(c, n)!what, ID(c), counts, value \
	:: full(WIRE(c, n)) /* not sent */ \
	fi

#define SEND_ALL(c, what, COUNTS, value) \
	SEND(c, 0, what, COUNTS(0), value); \
	SEND(c, 1, what, COUNTS(1), value); \
	SEND(c, 2, what, COUNTS(2), value)

#define NEVER(n) 0

inline forget(c) {
	granted[c] = 0; token[c] = 0; storing[c] = 0;
	renewed[c] = 0; renewedValid[c] = 0; renewals[c] = 0;
	valid[c] = 0; slips[c] = 0
}

inline begin(c) {
	d_step {
		state[c] == idle && attempt[c] < ATTEMPTS ->
		valid[c] = LEASE - MARGIN;
		state[c] = acquiring;
		SEND_ALL(c, acquire, COUNTED, PROPOSED(c))
	}
}

inline handOut(c) {
	assert(INCREASES(c));	/* tokens strictly increase */
	lastToken = token[c];
	storing[c] = 0; granted[c] = 0;
	state[c] = held
}

inline decide(c) {
	d_step {
		state[c] == acquiring && valid[c] > 0 && ENOUGH(granted[c]) ->
		if
		:: STORED(c) -> handOut(c)
		:: else ->
			state[c] = raising;
			SEND_ALL(c, raise, COUNTED_FOR_FENCE, token[c])
		fi
	}
}

inline decideAgain(c) {
	d_step {
		state[c] == raising && valid[c] > 0 && STORED(c) -> handOut(c)
	}
}

/* A failed attempt, a lost lock, a release: the same to all nodes (R2, R7, R8). */
inline giveUp(c) {
	d_step {
		state[c] != idle ->
		SEND_ALL(c, release, NEVER, 0);
		forget(c);
		attempt[c] = attempt[c] + 1;
		state[c] = idle
	}
}

inline beginRenewal(c) {
	d_step {
		HOLDS(c) && renewals[c] < RENEWALS ->
		renewals[c] = renewals[c] + 1;
		renewed[c] = 0;
		renewedValid[c] = LEASE - MARGIN;
		SEND_ALL(c, renew, COUNTED_FOR_RENEWAL, token[c])
	}
}

inline endRenewal(c) {
	d_step {
		HOLDS(c) && renewedValid[c] > 0 && SIZE(renewed[c]) >= QUORUM ->
		valid[c] = MAX(valid[c], renewedValid[c]);
		renewedValid[c] = 0; renewed[c] = 0; slips[c] = 0
	}
}

/* A node carries out one command; the answer arrives at once or, if lost, never. */
inline deliver(c, n, lost) {
	d_step {
		/* An answer to a release, or to an attempt that is over, is lost on nobody. */
		nempty(WIRE(c, n)) && (!lost || WIRE(c, n)?[_, eval(ID(c)), 1, _]) ->
		WIRE(c, n)?what, id, counts, value;
		if
		:: what == acquire && owner[n] == 0 ->
			owner[n] = id; ttl[n] = LEASE;
			fence[n] = MAX(NEXT(fence[n]), value);
			if
			:: !lost && counts && state[c] == acquiring && ID(c) == id ->
				granted[c] = granted[c] | BIT(n);
				if
				:: fence[n] > token[c] -> token[c] = fence[n]; storing[c] = BIT(n)
				:: fence[n] == token[c] -> storing[c] = storing[c] | BIT(n)
				:: else
				fi
			:: else
			fi
		:: what == raise && MAY_RAISE(n, id) ->
			fence[n] = MAX(fence[n], value);
			if
			:: !lost && counts && state[c] == raising && ID(c) == id -> storing[c] = storing[c] | BIT(n)
			:: else
			fi
		:: what == renew && (owner[n] == id || owner[n] == 0) ->
			owner[n] = id; ttl[n] = LEASE;
			fence[n] = MAX(fence[n], value);
			if
			:: !lost && counts && state[c] == held && ID(c) == id && renewedValid[c] > 0 ->
				renewed[c] = renewed[c] | BIT(n)
			:: else
			fi
		:: what == release && owner[n] == id ->
			owner[n] = 0; ttl[n] = 0
		:: else	/* refused, or nothing to release */
		fi;
		what = 0; id = 0; counts = 0; value = 0
	}
}

inline drain(c, n) {
	do
	:: nempty(WIRE(c, n)) -> WIRE(c, n)?what, id, counts, value
	:: empty(WIRE(c, n)) -> break
	od
}

/* A restart, empty; the connections break, and with them go the commands under way. */
inline crash(n) {
	d_step {
		crashes < CRASHES && HAS(CRASHING, n) ->
		crashes = crashes + 1;
		owner[n] = 0; ttl[n] = 0; fence[n] = 0;
		quarantine[n] = QUARANTINE;
		drain(0, n); drain(1, n);
		what = 0; id = 0; counts = 0; value = 0
	}
}

inline tickNode(n) {
	if
	:: ttl[n] > 1 -> ttl[n] = ttl[n] - 1
	:: ttl[n] == 1 -> ttl[n] = 0; owner[n] = 0
	:: else
	fi;
	if
	:: quarantine[n] > 0 -> quarantine[n] = quarantine[n] - 1
	:: else
	fi
}

/* A slow clock misses a tick now and then, as often as drift allows. */
inline tickClient(c, slow) {
	if
	:: slow -> slips[c] = slips[c] + 1
	:: else ->
		if
		:: valid[c] > 0 -> valid[c] = valid[c] - 1
		:: else
		fi;
		if
		:: renewedValid[c] > 0 -> renewedValid[c] = renewedValid[c] - 1
		:: else
		fi
	fi
}

inline tick(slow0, slow1) {
	d_step {
		now < TICKS && (!slow0 || slips[0] < SLIPS && valid[0] > 0) && (!slow1 || slips[1] < SLIPS && valid[1] > 0) ->
		now = now + 1;
		tickNode(0); tickNode(1); tickNode(2);
		tickClient(0, slow0); tickClient(1, slow1)
	}
}

active proctype World() {
	mtype what; byte id; bit counts; byte value;

	d_step { state[0] = idle; state[1] = idle; fence[2] = AHEAD }

end:
	do
	:: begin(0)
	:: begin(1)
	:: decide(0)
	:: decide(1)
	:: decideAgain(0)
	:: decideAgain(1)
	:: giveUp(0)
	:: giveUp(1)
	:: beginRenewal(0)
	:: beginRenewal(1)
	:: endRenewal(0)
	:: endRenewal(1)
	:: deliver(0, 0, 0)
	:: deliver(0, 1, 0)
	:: deliver(0, 2, 0)
	:: deliver(1, 0, 0)
	:: deliver(1, 1, 0)
	:: deliver(1, 2, 0)
	:: deliver(0, 0, 1)
	:: deliver(0, 1, 1)
	:: deliver(0, 2, 1)
	:: deliver(1, 0, 1)
	:: deliver(1, 1, 1)
	:: deliver(1, 2, 1)
	:: crash(0)
	:: crash(1)
	:: crash(2)
	:: tick(0, 0)
	:: tick(1, 0)
	:: tick(0, 1)
	/* Mutual exclusion, looked at in every state. */
	:: d_step { HOLDS(0) && HOLDS(1) -> assert(false) }
	od
}
