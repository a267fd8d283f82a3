/**
 * What the documentation shows is compiled, bound and run here.
 */
package io.quorlock.docs;
