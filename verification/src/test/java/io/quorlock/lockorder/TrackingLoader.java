/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.lockorder;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

import io.quorlock.engine.event.LockListener;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.StoreObserver;

/**
 * Classes of this project with a {@link TrackedLock} for each {@link ReentrantLock}, and
 * with a check where a method begins that must not be called under a lock.
 */
final class TrackingLoader extends ClassLoader {

	private static final String LOCK = Type.getInternalName(ReentrantLock.class);

	private static final String TRACKED = Type.getInternalName(TrackedLock.class);

	private static final List<Class<?>> SEAMS = List.of(LeaseStore.class, Contender.class, Contender.Listener.class,
			Grant.class, StoreObserver.class, LockNode.class, NodeListener.class, ReplyHandler.class,
			LockListener.class, RequestObserver.class);

	/** They return what is known, and call nothing else. */
	private static final Set<String> GETTERS = Set.of("name", "names", "owner", "tokens", "permit", "nodes", "status",
			"attempts", "lastFailure", "validUntilNanos");

	TrackingLoader() {
		super(TrackingLoader.class.getClassLoader());
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		if (!name.startsWith("io.quorlock.") || name.equals(TrackedLock.class.getName())) {
			return super.loadClass(name, resolve);
		}
		synchronized (getClassLoadingLock(name)) {
			Class<?> loaded = findLoadedClass(name);
			return (loaded != null) ? loaded : findClass(name);
		}
	}

	@Override
	protected Class<?> findClass(String name) throws ClassNotFoundException {
		try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
			if (in == null) {
				throw new ClassNotFoundException(name);
			}
			ClassReader reader = new ClassReader(in);
			ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
			reader.accept(new Tracking(writer), 0);
			byte[] bytes = writer.toByteArray();
			return defineClass(name, bytes, 0, bytes.length);
		}
		catch (IOException ex) {
			throw new ClassNotFoundException(name, ex);
		}
	}

	private static final class Tracking extends ClassVisitor {

		private String type = "";

		private final Set<String> seams = new HashSet<>();

		private Tracking(ClassVisitor visitor) {
			super(SpringAsmInfo.ASM_VERSION, visitor);
		}

		@Override
		public void visit(int version, int access, String name, @Nullable String signature, @Nullable String superName,
				String @Nullable [] interfaces) {
			this.type = name.substring(name.lastIndexOf('/') + 1);
			List<String> implemented = (interfaces != null) ? Arrays.asList(interfaces) : List.of();
			SEAMS.stream()
				.filter((seam) -> implemented.contains(Type.getInternalName(seam)))
				.flatMap((seam) -> Arrays.stream(seam.getMethods()))
				.map((method) -> method.getName() + Type.getMethodDescriptor(method))
				.forEach(this.seams::add);
			super.visit(version, access, name, signature, superName, interfaces);
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
				String @Nullable [] exceptions) {
			MethodVisitor visitor = super.visitMethod(access, name, descriptor, signature, exceptions);
			boolean seam = this.seams.contains(name + descriptor) && !GETTERS.contains(name);
			return new MethodVisitor(SpringAsmInfo.ASM_VERSION, visitor) {

				@Override
				public void visitCode() {
					super.visitCode();
					if (seam) {
						super.visitLdcInsn(Tracking.this.type + "." + name);
						super.visitMethodInsn(Opcodes.INVOKESTATIC, TRACKED, "called", "(Ljava/lang/String;)V", false);
					}
				}

				@Override
				public void visitTypeInsn(int opcode, String type) {
					super.visitTypeInsn(opcode, (opcode == Opcodes.NEW && type.equals(LOCK)) ? TRACKED : type);
				}

				@Override
				public void visitMethodInsn(int opcode, String owner, String method, String descriptor,
						boolean isInterface) {
					if (opcode == Opcodes.INVOKESPECIAL && owner.equals(LOCK) && descriptor.equals("()V")) {
						super.visitLdcInsn(Tracking.this.type);
						super.visitMethodInsn(opcode, TRACKED, method, "(Ljava/lang/String;)V", false);
					}
					else {
						super.visitMethodInsn(opcode, owner, method, descriptor, isInterface);
					}
				}

			};
		}

	}

}
